# The full image has a compiler; the slim one, which is what runs, has not.
FROM python:3.13-bookworm AS builder
WORKDIR /src
COPY requirements/build.txt requirements/dev.txt requirements/runtime.txt requirements/
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes -r requirements/build.txt \
    && python -m venv /opt/rightbower \
    && /opt/rightbower/bin/pip install --no-cache-dir --require-hashes -r requirements/runtime.txt \
    && /opt/rightbower/bin/pip install --no-cache-dir --require-hashes -c requirements/dev.txt \
        'psycopg[binary]' distributed  # the extras that docker-compose.yml needs, as they are pinned
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE ./
COPY solver solver
COPY api api
RUN /opt/build/bin/python -m build --wheel --no-isolation --outdir /dist \
    && /opt/rightbower/bin/pip install --no-cache-dir --no-deps /dist/*.whl

FROM python:3.13-slim-bookworm
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/rightbower rightbower
COPY --from=builder /opt/rightbower /opt/rightbower
ENV PATH=/opt/rightbower/bin:$PATH \
    PYTHONUNBUFFERED=1
# The only place the service writes to: mount a volume here to keep jobs and their results.
WORKDIR /var/lib/rightbower
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=4s --start-period=10s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
CMD ["rightbower", "serve", "--host", "0.0.0.0"]
