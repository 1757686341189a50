"""Common words that no memory learns: they enter neither the word caches nor the topic models."""

from __future__ import annotations

_LIST = """
a about above according across after afterwards again against all almost along already also although always
am among an and another any anyone anything anyway anywhere are aren around as at away back be became
because become becomes been before beforehand behind being below beside besides best better between beyond
both but by came can cannot could couldn did didn do does doesn doing don done down due during each either
else elsewhere enough especially etc even ever every everyone everything everywhere except far few first for
from further get gets getting give given gives go goes going gone got had hadn has hasn have haven having he
hence her here hereby herself hers him himself his how however i if in indeed instead into is isn it its
itself just keep kept last least less let lets like likely ll made mainly make makes making many may maybe
me meanwhile might mine more moreover most mostly much must mustn my myself namely near nearly need needed
needn needs neither never nevertheless next no nobody none nor not nothing now nowhere of off often on once
one ones only onto or other others otherwise ought our ours ourselves out over own per perhaps please
possible possibly quite rather re really regarding said same say says second see seem seemed seems seen
several shall shan she should shouldn since so some somehow someone something sometimes somewhat somewhere
soon still such take taken takes than that the their theirs them themselves then thence there thereafter
thereby therefore therein these they thing things this those though through throughout thus to together too
toward towards two under unless unlike until up upon us use used uses using usually ve very via want was
wasn way ways we well went were weren what whatever when whenever where whereas whereby wherein wherever
whether which whichever while who whoever whole whom whose why will with within without won would wouldn yes
yet you your yours yourself yourselves unk
"""

STOP_WORDS = frozenset(_LIST.split())

_CHINESE_LIST = """
一个 一些 一种 一样 一下 一次 一旦 一般 不会 不能 不是 不同 不要 不过 与其 为了 为什么 也是 也许 了解 事情
之一 之前 之后 之间 之类 于是 什么 什么样 仅仅 今天 从而 他们 以上 以下 以及 以外 任何 任意 但是 何时 例如
使用 使得 依然 假如 允许 先前 全部 关于 其中 其他 其它 其实 具有 再次 几个 几乎 到底 包含 包括 十分 千万
即使 即可 却是 及其 另外 另一 只是 只有 只能 只要 可以 可是 可能 各个 各种 同时 同样 后面 否则 告诉 哪个
哪些 哪里 因为 因此 在于 大家 大多 大多数 大量 太多 她们 如下 如何 如果 它们 完全 完成 导致 对于 将会 尤其
尽管 就是 已经 希望 并且 应当 应该 开始 当前 当然 怎么 怎样 您可 您可以 情况 意味着 我们 或者 所以 所有
所示 才能 接下来 提供 支持 整个 新增 无法 时候 显然 曾经 更多 更加 最后 最好 有些 有关 有时 有的 来自 某个
某些 根据 正在 此外 每个 每次 比如 没有 注意 然后 然而 现在 由于 由此 甚至 的话 目前 直到 直接 相关 相同
真的 看到 知道 确保 确实 确定 第一 第二 第三 等等 类似 给定 继续 而且 而是 能够 自己 自身 至于 至少 若要
虽然 许多 该项 说明 请参阅 起来 足够 还有 还是 这个 这些 这样 这种 这里 进行 通常 通过 那个 那些 那么 那样
那里 部分 都是 重要 问题 除了 除非 随后 需要 非常 首先
"""

CHINESE_STOP_WORDS = frozenset(_CHINESE_LIST.split())
