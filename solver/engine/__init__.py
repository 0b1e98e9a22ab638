"""Double-dummy search: all compiled code of the package, and what translates to and from it."""
