"""The console: dpduck in a browser, through the same gate and ledger as every other door.

    request -> guard (Host, origin, size, rate) -> app (routes) -> logins, or a visitor's session
            -> runs (one charge for one run) -> Service -> released rows -> pages -> HTML

`app` and `owner_routes` are the only modules that know requests, besides `guard`, which checks each of them
before; `visitors` is who has logged in, `logins` how; `runs` what was asked, `asking` how it is answered. The
modules of pages turn what they are given into HTML, with `layout` and `charts`. The pages work without
JavaScript: `static` adds the editor, the cost while one types, and answers without a new page.
"""
