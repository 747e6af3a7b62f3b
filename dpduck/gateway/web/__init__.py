"""The console: dpduck in a browser, through the same gate and ledger as every other door.

    request -> guard (Host, origin, size, rate) -> app (routes) -> logins, or a visitor's session
            -> runs (one charge for one run) -> Service -> released rows -> pages -> HTML

`app` is the only module that knows requests; `guard` what is checked of each of them before; `visitors` who
has logged in, `logins` how; `runs` what was asked; the modules of pages turn what they are given into
HTML, with `layout`, `charts` and `meters`. The pages work without JavaScript: `static` adds the editor, the
cost while one types, and answers without a new page.
"""
