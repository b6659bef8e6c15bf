"""Plug-ins, which not everybody needs: each folder is a plug-in, found by the entry points of damier's own
package.

Nothing outside imports from here, and no plug-in imports another. What one brings stands in its
`__init__.py`.
"""
