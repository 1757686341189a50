"""Tags of Vue and Angular in Markdown: no tags by CommonMark, and protected all the same."""

from __future__ import annotations

import time

import pytest
from rendering import render

from anaphora.formats.registry import read_bytes

TAGS = {
    "Vue's events": ('<Count :max="a > b" @click="n++">点我</Count>试试。', "{1}点我{/1}试试。"),
    "Vue's modifiers": ("请<my-form @submit.prevent v-model='x'>填写</my-form>它。", "请{1}填写{/1}它。"),
    "a component": ('请<p-button @click="n++">点我</p-button>试试。', "请{1}点我{/1}试试。"),
    "Vue's slots": ('<template #header="{ item }">页眉</template>在上。', "{1}页眉{/1}在上。"),
    "Angular's bindings": ('按<a [href]="u" (click)="go()">这里</a>继续。', "按{1}这里{/1}继续。"),
    "Angular's structure": ('共<b *ngIf="n > 1">多</b>项。', "共{1}多{/1}项。"),
    "one that closes itself": ("见<Icon @hover name='x' />图标。", "见{1/}图标。"),
    "on two lines": ('<Count\n  :max="3"\n  @click="n++">点我</Count>试试。', "{1}点我{/1}试试。"),
    "no tags": ("若 a <b @c 则 <x *y> 与 <a@b.cn> 不变。", "若 a <b @c 则 <x *y> 与 {1/} 不变。"),
    "code": ("写 `<a @click>` 即可。", "写 {1/} 即可。"),
}


@pytest.mark.parametrize("name", TAGS)
def test_tags_with_attributes_of_frameworks_are_protected(name: str) -> None:
    text, wanted = TAGS[name]
    document = read_bytes(f"# 题\n\n{text}\n".encode(), "a.md")
    segment = document.segments[1]
    assert segment.source == wanted
    rendered = render(document.data, "markdown", {segment.id: f"Q {segment.source}"}).decode()
    assert rendered == f"# 题\n\nQ {text}\n"


def test_one_that_is_escaped_is_text_and_stays_text() -> None:
    document = read_bytes('写作 \\<Foo @click="x"> 即可。\n'.encode(), "a.md")
    (segment,) = document.segments
    assert segment.source == '写作 <Foo @click="x"> 即可。'
    rendered = render(document.data, "markdown", {segment.id: 'Write <Foo @click="x"> here.'}).decode()
    assert rendered.startswith('Write \\<Foo @click="x')


def test_a_block_of_html_stays_one() -> None:
    page = '<div @click="x">\n块\n</div>\n\n正文。\n'
    document = read_bytes(page.encode(), "a.md")
    assert [segment.source for segment in document.segments] == ["正文。"]
    assert "Blocks of HTML stay as they are; so many hold words to translate: 1." in document.notes


def test_many_beginnings_of_tags_are_read_in_linear_time() -> None:
    page = "字" + "<a b='c' " * 4000 + "\n"
    started = time.process_time()
    read_bytes(page.encode(), "a.md")
    assert time.process_time() - started < 5
