"""What can be proved."""

from rosenblatt.theory.bound import Bound, mistake_bound, one_pass_bound, repeats_until_correct
from rosenblatt.theory.certificate import Certificate, Certificates, read_certificate, verify
from rosenblatt.theory.margin import Margin, margin_of, max_margin
from rosenblatt.theory.separability import check
from rosenblatt.theory.studying import Study, study
from rosenblatt.theory.tracing import Trace, trace

__all__ = [
    "Bound",
    "Certificate",
    "Certificates",
    "Margin",
    "Study",
    "Trace",
    "check",
    "margin_of",
    "max_margin",
    "mistake_bound",
    "one_pass_bound",
    "read_certificate",
    "repeats_until_correct",
    "study",
    "trace",
    "verify",
]
