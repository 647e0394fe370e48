"""Reviews of finished games on the server: jobs, the processes that compute them, their routes."""
