"""The figures of the guided sheets by their names."""

from __future__ import annotations

from collections.abc import Callable

from damier.draw.course.actions import actions_svg
from damier.draw.course.machines import machines_svg
from damier.draw.course.plies import plies_svg
from damier.draw.course.softmax import softmax_svg
from damier.draw.course.timeline import timeline_svg
from damier.draw.course.triples import triples_svg

FIGURES: dict[str, Callable[[], str]] = {
    "actions": actions_svg,
    "machines": machines_svg,
    "plies": plies_svg,
    "softmax": softmax_svg,
    "timeline": timeline_svg,
    "triples": triples_svg,
}
