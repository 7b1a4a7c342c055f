"""The process of the window: threads and jobs, the open library, the life of Qt's objects, the file manager."""
