"""Colours that tell classes and things apart: AirSim's table of 256 (docs/seg_rgbs.txt), which others use too."""

from __future__ import annotations

import base64

import numpy as np

__all__ = ["PALETTE"]

_TABLE = (
    "0001)YzA;?zgc-mzTrU5zB^G3By+ICp{pB*sk9v$$7T@k@@tZu#uqVJphVhq3+xHR9te3u8~`;zk~Bu*m5-NxtHLJ-&3K{IGd$B!"
    "(7lJeHb~89{GEIidlQ63!|jA#{jawBS6ZU-#~lIw4CN!l^xUH{R{qwQ1A$y0YR~0beM>N6H%fki?%tVgRhS~JMIR-AeL52%hB<fI"
    "d~<jJ$l-%r_F51#oAJtFo4Ap-VCXD`^o6v)9Rc3JWAbQQsM|p{*_1+p%Vx~jPD|<(`fbh_q{0!M7wn#LSoIceLlGmj)m^HyDm1&4"
    "_sDM<KCWaL@V~>5{3Jv1O_l8-jd$i%93pH^V*YZW9!oOwLgM`{XiNy|*bnh$T@FXU|H1t!q!_Pwx%20#>0$HNkw}RZpmAl^Tn(p;"
    "lVxqSHFkaju^=cvW4eo(SkGiflH=?qyVnHQ64OF)F@`THKig-2Iq-?&h0~Eo$=R*9`Y3VGeMI28`9+j2?^P6Rbl^DF8ncrtFubhY"
    "Q!ksQ+CJI6#<Y6Lkg0?M4uHLKqvLQbov}bxj&{ML4j@m+EviaU0y`ztNh9H3;3rh7+@CtF5nJsaUsNK=_&-U}f$MAMb0{QAU+(0Z"
    "J=8W0UZst$0F0;qbzNJx3c95nJ&^9g44x@WZt9i^d5!`0=7`1xJn88AP>*mpyGEP>xju^D;(E8<ru74_28{4K()cV2Q&KeF_@`G7"
    "mT$6k#Z(sS(0mC@EwC6enxFfXZ_lXb57GC^P|cXK-PIciCiHbPYec>m$BV02sEEos1};`<f3U9k#jLD~<c?7X%()gl_vvI#e?e&>"
    "SDuTU{3-{C6l1ebmfwT6xNdtTJc?k_U|xGL5{bp4yb=W`+n3Cbhxt!QO+d0K_Dv9)1ayWI1bXYSYUUMp3}^*nGJ-W8z!@5)rV5}^"
    "YAb^**k}J`-5{65)!bP|(d1#cQ&R8f`=o%u3-u-&pXH6qf;cym(hH)?cK`qX"
)

PALETTE = np.frombuffer(base64.b85decode(_TABLE), np.uint8).reshape(256, 3)
"""Red, green, blue by id, uint8 [256, 3]; 0 is black, 255 white."""
