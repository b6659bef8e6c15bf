"""The board of a notebook in front of a real kernel: its page, put into a plain one as notebooks do it,
played by clicks and keys in a browser; and an opponent that thinks for long is stopped as a cell is.

JupyterLab itself is tried by hand.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import Empty
from typing import Any

import pytest

pytest.importorskip("ipykernel")
pytest.importorskip("anywidget")
from jupyter_client.manager import start_new_kernel

LIMIT = 30
"""Seconds after which a kernel that does not answer fails its test."""
PAGE = """<!doctype html><meta charset="utf-8"><title>notebook</title><body><script>
window.mount = async (id, state, selector) => {
  const listeners = {};
  const model = {
    get: (name) => state[name],
    on: (name, call) => { (listeners[name] ??= []).push(call); },
    off: (name, call) => { listeners[name] = (listeners[name] ?? []).filter((one) => one !== call); },
    send: (content) => { window.sendToKernel(id, content); },
  };
  (window.models ??= {})[id] = (changed) => {
    Object.assign(state, changed);
    for (const name of Object.keys(changed)) for (const call of listeners[`change:${name}`] ?? []) call();
  };
  const sheet = document.createElement("style");
  sheet.textContent = state._css;
  document.head.append(sheet);
  const program = await import(URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" })));
  const el = document.createElement("div");
  el.id = selector;
  document.body.append(el);
  program.default.render({ model, el });
};
</script>"""


@dataclass
class NotebookKernel:
    """A kernel, and the widgets that it has opened, by their ids: the state that each has sent."""

    manager: Any
    client: Any
    widgets: dict[str, dict[str, Any]] = field(default_factory=dict)
    printed: str = ""

    def run(self, code: str) -> str:
        """What a cell prints, or the lines of its error."""
        self.printed = ""
        self.wait(self.client.execute(code))
        return self.printed

    def send(self, widget: str, content: dict[str, Any]) -> str:
        """Sends what a page sends; returns the number of the message, which can be waited for."""
        data = {"method": "custom", "content": content}
        sent = self.client.session.msg("comm_msg", {"comm_id": widget, "data": data})
        self.client.shell_channel.send(sent)
        return str(sent["header"]["msg_id"])

    def wait(self, number: str) -> None:
        """Takes what the kernel sends until it has done what a message asks for."""
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            try:
                found = self.client.get_iopub_msg(timeout=1)
            except Empty:
                continue
            self.take(found["msg_type"], found["content"])
            idle = found["msg_type"] == "status" and found["content"]["execution_state"] == "idle"
            if idle and found["parent_header"].get("msg_id") == number:
                return
        raise TimeoutError

    def take(self, kind: str, content: dict[str, Any]) -> None:
        if kind == "comm_open":
            self.widgets[content["comm_id"]] = dict(content["data"].get("state", {}))
        elif kind == "comm_msg" and content["data"].get("method") == "update":
            self.widgets[content["comm_id"]] |= content["data"]["state"]
        elif kind == "stream":
            self.printed += content["text"]
        elif kind == "error":
            self.printed += "\n".join(content["traceback"])

    def boards(self) -> list[str]:
        """The ids of all boards, the first made first."""
        return [name for name, state in self.widgets.items() if "_esm" in state]


@pytest.fixture(scope="module")
def kernel() -> Iterator[NotebookKernel]:
    manager, client = start_new_kernel(kernel_name="python3")
    yield NotebookKernel(manager, client)
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.fixture
def page(kernel: NotebookKernel, browser: Any) -> Iterator[Any]:
    """A plain page in which widgets of the kernel are put as a notebook does it."""
    context = browser.new_context(reduced_motion="reduce")
    opened, faults = context.new_page(), list[str]()
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("request", lambda request: faults.append(request.url) if "http" in request.url[:4] else None)

    def sent(widget: str, content: dict[str, Any]) -> None:
        kernel.wait(kernel.send(widget, content))
        opened.evaluate("([id, changed]) => window.models[id](changed)", [widget, shown(kernel, widget)])

    waiting: list[tuple[str, dict[str, Any]]] = []
    opened.expose_function("sendToKernel", lambda widget, content: waiting.append((widget, content)))
    opened.set_content(PAGE)

    def settle() -> None:
        """Has the kernel answer all that the page has asked."""
        opened.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
        while waiting:
            sent(*waiting.pop(0))

    opened.settle = settle
    yield opened
    context.close()
    assert not faults


def shown(kernel: NotebookKernel, widget: str) -> dict[str, Any]:
    return {"shown": kernel.widgets[widget]["shown"]}


def mounted(page: Any, kernel: NotebookKernel, code: str, name: str) -> Any:
    """The board that a cell makes, on the page."""
    assert kernel.run(f"from damier.notebook import Board\n{name} = {code}") == ""
    widget = kernel.boards()[-1]
    page.evaluate(
        "([id, state, name]) => window.mount(id, state, name)", [widget, kernel.widgets[widget], name]
    )
    page.settle()
    return page.locator(f"#{name}")


def click(page: Any, board: Any, *places: int) -> None:
    for place in places:
        board.locator(f'.d-touch[data-cell="{place}"]').click(force=True)
    page.settle()


def test_it_is_played_by_clicks_and_read_in_python(kernel: NotebookKernel, page: Any) -> None:
    board = mounted(page, kernel, 'Board("hexapawn", opponent="perfect:ties=first", hints=True)', "board")
    assert board.locator(".status h2").inner_text() == "Your move (White)."
    click(page, board, 7, 4)
    assert kernel.run("print(board.moves, board.position.mover)") == "('b1b2', 'c3b2') 0\n"
    assert "a draw" in board.locator("[data-part=truth]").inner_text()
    board.locator("[data-do=undo]").click()
    page.settle()
    assert kernel.run("print(board.moves)") == "()\n"
    click(page, board, 0)
    assert board.locator("[data-notice]").inner_text() == "This is not a legal move here."
    assert kernel.run("board.play('a1a2'); print(len(board.moves))") == "2\n"


def test_keys_on_one_board_are_none_of_another(kernel: NotebookKernel, page: Any) -> None:
    first = mounted(page, kernel, 'Board("tictactoe")', "first")
    second = mounted(
        page, kernel, 'Board("tictactoe", opponent="perfect:prefer=fastest,ties=first")', "second"
    )
    page.keyboard.press("4")
    page.settle()
    assert kernel.run("print(first.moves, second.moves)") == "() ()\n", "nobody meant a board"
    first.locator("[data-stage]").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.settle()
    second.locator("[data-stage]").focus()
    page.keyboard.press("4")
    page.settle()
    assert kernel.run("print(first.moves, second.moves)") == "('1',) ('4', '0')\n"


def test_a_game_ends_and_another_begins_where_the_notebook_is_dark(kernel: NotebookKernel, page: Any) -> None:
    board = mounted(page, kernel, 'Board("tictactoe")', "dark")
    paper = "el => getComputedStyle(el).backgroundColor"
    assert board.evaluate(paper) == "rgb(255, 255, 255)"
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    page.settle()
    assert board.evaluate(paper) == "rgb(21, 24, 29)"
    click(page, board, 0, 3, 1, 4, 2)
    assert board.locator(".status h2").inner_text() == "X has won."
    click(page, board, 5)
    assert board.locator("[data-notice]").inner_text() == "It is not your turn."
    board.locator(".status [data-do=new]").click()
    page.settle()
    assert kernel.run("print(dark.moves, dark.position.over)") == "() False\n"


def test_a_kernel_whose_opponent_thinks_is_interrupted_as_a_cell_is(kernel: NotebookKernel) -> None:
    kernel.run('slow = Board("chess", opponent="mcts:simulations=100000000")')
    widget = kernel.boards()[-1]
    number = kernel.send(widget, {"play": "e2e4"})
    while not kernel.widgets[widget]["shown"]["state"]["thinks"]:
        found = kernel.client.get_iopub_msg(timeout=LIMIT)
        kernel.take(found["msg_type"], found["content"])
    kernel.manager.interrupt_kernel()
    kernel.wait(number)
    assert kernel.widgets[widget]["shown"]["notice"].startswith("Stopped before it had moved")
    assert kernel.run("print(slow.moves, slow.undo().moves)") == "('e2e4',) ()\n"


def test_what_is_wrong_is_the_line_of_the_cell_and_a_sentence(kernel: NotebookKernel) -> None:
    said = kernel.run('game = "hexapwn"\nBoard(game)').splitlines()
    assert said[0] == "line 2: Board(game)"
    assert said[1].startswith("UnknownName: no game is called hexapwn; did you mean hexapawn?")
    assert len(said) == 2
