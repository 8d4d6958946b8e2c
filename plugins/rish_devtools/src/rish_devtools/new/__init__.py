"""`rish new`: games, scripts, plugins and backends to begin with, written from templates."""
