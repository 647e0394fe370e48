"""Several server processes behind one port: decision 0010 has the reasons."""
