"""What the inspector finds, in the panels and in the texts; and what is pointed at there."""

from __future__ import annotations

from anaphora.memory.inspector import Inspector
from anaphora.memory.view.reasons import ReasonLines
from anaphora.memory.view.topic import TopicPanel
from anaphora.memory.view.why import WhyPanel
from anaphora.views.editor.segment_table import SegmentTable


def connect_inspector(
    inspector: Inspector, table: SegmentTable, why: WhyPanel, reasons: ReasonLines, topic: TopicPanel
) -> None:
    inspector.viewed.connect(topic.show_view)
    for panel in (topic, why, reasons):
        inspector.explained.connect(panel.show_explanation)
        inspector.word_selected.connect(panel.select_word)
    inspector.proposal_explained.connect(reasons.show_explanation)
    inspector.compared.connect(reasons.show_comparison)
    inspector.waiting_changed.connect(why.show_waiting)
    inspector.word_selected.connect(lambda _: table.editor.mark(inspector.span))
    inspector.word_selected.connect(lambda _: table.card.source.mark(inspector.source_spans))
    table.card.source.pointed.connect(inspector.point_at_source)
    table.editor.caret_moved.connect(inspector.point_at)
