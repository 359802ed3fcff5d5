"""The lab as a notebook widget: the same module, and what the reader does is known to Python. Needs anywidget."""

from collections.abc import Mapping
from typing import Any

from rosenblatt.errors import MissingExtra
from rosenblatt.lab.page import static


def make_widget(values: Mapping[str, Any]) -> Any:
    """Return a widget whose ``state`` (points, settings, step) and ``hash`` (the same as a link) follow the reader.

    Set ``hash`` to move the lab from Python.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtra("anywidget", "lab", "The notebook widget") from None
    widget = type(
        "LabWidget",
        (anywidget.AnyWidget,),
        {
            "__module__": __name__,
            "_esm": static("lab.js"),
            "_css": static("lab.css"),
            "state": traitlets.Dict().tag(sync=True),
            "hash": traitlets.Unicode().tag(sync=True),
            "trace": traitlets.Dict(allow_none=True, default_value=None).tag(sync=True),
        },
    )
    return widget(state=dict(values.get("state", {})), trace=values.get("trace"))
