"""English function words: they enter neither the dynamic nor the topic cache (Kuang et al., 2018, 4.1.1)."""

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
