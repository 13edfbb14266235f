"""Pages of reports, looked at from outside."""

from html.parser import HTMLParser

SVG = "{http://www.w3.org/2000/svg}"


class Outside(HTMLParser):
    """Whatever a page would fetch, and whether its elements close."""

    def __init__(self):
        super().__init__()
        self.fetched, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.fetched += [v for k, v in attrs if k in ("src", "href", "data") or (tag == "script")]
        if tag not in ("meta", "rect", "line"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.fetched += [v for k, v in attrs if k in ("src", "href")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
