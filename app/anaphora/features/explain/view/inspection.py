"""What the inspector finds, in the panels and in the texts; and what is pointed at there."""

from __future__ import annotations

from anaphora.editor.table.segment_table import SegmentTable
from anaphora.features.explain.inspector import Inspector
from anaphora.features.explain.view.reasons import ReasonLines
from anaphora.features.explain.view.topic import TopicPanel
from anaphora.features.explain.view.why import WhyPanel


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
