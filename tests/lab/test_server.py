"""The server answers one browser on this machine, and nobody else."""

import http.client
import socket
import threading

import pytest

from rosenblatt.errors import DataError
from rosenblatt.lab import lab, serve
from rosenblatt.lab.page import page_script
from rosenblatt.lab.server import running


@pytest.fixture(scope="module")
def server():
    with running(lab([[0, 0], [1, 1]], [0, 1])) as server:
        yield server


def ask(server, path="/", method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def cookie_of(server):
    answer, _ = ask(server, f"/?token={server.token}")
    return answer.getheader("Set-Cookie").split(";")[0]


def test_it_listens_on_the_loopback_alone(server):
    assert server.server_address[0] == "127.0.0.1"


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(server):
    answer, _ = ask(server, f"/?token={server.token}")
    assert (answer.status, answer.getheader("Location")) == (303, "/")
    cookie = answer.getheader("Set-Cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert server.token not in cookie


def test_with_the_cookie_the_page_and_its_two_files_come(server):
    cookie = cookie_of(server)
    page, text = ask(server, Cookie=cookie)
    assert page.status == 200
    assert "<script>" not in text
    assert 'src="lab.js"' in text
    script, body = ask(server, "/lab.js", Cookie=cookie)
    assert (script.getheader("Content-Type"), body) == ("text/javascript; charset=utf-8", page_script())
    assert ask(server, "/lab.css", Cookie=cookie)[0].status == 200


@pytest.mark.parametrize("path", ["/", "/lab.js", "/lab.css", "/?token=wrong", "/?token=", "/other"])
def test_without_token_or_cookie_nothing_comes(server, path):
    answer, body = ask(server, path)
    assert answer.status == 403
    assert "perceptron" not in body.lower()
    assert ask(server, path, Cookie=f"{server.cookie}=guess")[0].status == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "localhost", "", "127.0.0.1.evil:1"])
def test_a_foreign_host_is_misdirected(server, host):
    assert ask(server, Host=host, Cookie=cookie_of(server))[0].status == 421


def test_localhost_is_a_name_of_this_machine(server):
    assert ask(server, Host=f"localhost:{server.server_port}", Cookie=cookie_of(server))[0].status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", "https://127.0.0.1"])
def test_a_foreign_origin_is_refused_even_with_the_cookie(server, origin):
    assert ask(server, Origin=origin, Cookie=cookie_of(server))[0].status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_page_in_the_same_browser_is_refused(server, site):
    assert ask(server, "/lab.js", Sec_Fetch_Site=site, Cookie=cookie_of(server))[0].status == 403


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/..%2fpage.py", "/lab.js/", "/static/lab.js", "/%2e%2e/"])
def test_there_is_nothing_behind_it_but_three_texts(server, path):
    assert ask(server, path, Cookie=cookie_of(server))[0].status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_can_be_changed(server, method):
    assert ask(server, method=method, Cookie=cookie_of(server))[0].status == 501


def test_every_answer_carries_the_strict_headers(server):
    for path, cookie in (("/", cookie_of(server)), ("/", "")):
        answer, _ = ask(server, path, Cookie=cookie)
        assert "default-src 'none'" in answer.getheader("Content-Security-Policy")
        assert "frame-ancestors 'none'" in answer.getheader("Content-Security-Policy")
        assert "unsafe" not in answer.getheader("Content-Security-Policy")
        assert answer.getheader("X-Content-Type-Options") == "nosniff"
        assert answer.getheader("Referrer-Policy") == "no-referrer"
        assert answer.getheader("Cross-Origin-Resource-Policy") == "same-origin"
        assert answer.getheader("Cache-Control") == "no-store"
        assert answer.getheader("Access-Control-Allow-Origin") is None


def test_head_sends_no_body(server):
    answer, body = ask(server, method="HEAD", Cookie=cookie_of(server))
    assert (answer.status, body) == (200, "")


def test_a_malformed_cookie_is_no_cookie(server):
    assert ask(server, Cookie='a="\x01; =;;;')[0].status == 403


def test_serve_announces_its_address_and_stops_with_ctrl_c(monkeypatch):
    said = []

    def interrupt(self, poll_interval=0.5):
        raise KeyboardInterrupt

    monkeypatch.setattr("rosenblatt.lab.server.LabServer.serve_forever", interrupt)
    serve(browser=False, announce=said.append)
    assert said[0].startswith("http://127.0.0.1:")
    assert "?token=" in said[0]


def test_a_port_in_use_is_named(server):
    with pytest.raises(DataError, match=f"port {server.server_port} cannot be used"):
        serve(port=server.server_port, browser=False)
    with pytest.raises(DataError, match="port=70000"):
        serve(port=70000, browser=False)


def test_a_silent_caller_does_not_block_the_others(server):
    with socket.create_connection(("127.0.0.1", server.server_port)):
        assert ask(server, Cookie=cookie_of(server))[0].status == 200
    assert threading.active_count() < 50
