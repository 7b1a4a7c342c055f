"""Reading files as pictures, safely: limits of memory and time, parts of pictures, why a file cannot be read."""
