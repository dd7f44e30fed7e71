# Paper Round in a container: `docker build -t paperround .`, then see compose.yaml.

FROM python:3.13-slim AS build
WORKDIR /src
# Everything comes from the locks, hashes checked; what has no wheel is built with what build.txt pins.
COPY requirements/build.txt requirements/run.txt requirements/
RUN pip install --no-cache-dir --require-hashes --no-deps --only-binary :all: -r requirements/build.txt \
    && pip wheel --no-cache-dir --require-hashes --no-build-isolation --no-deps -w /wheels -r requirements/run.txt
COPY . .
RUN pip wheel --no-cache-dir --no-build-isolation --no-deps -w /wheels . \
    && python -m venv /opt/paperround \
    && /opt/paperround/bin/pip install --no-cache-dir --no-index --no-deps /wheels/*.whl \
    && /opt/paperround/bin/pip check

FROM python:3.13-slim
COPY --from=build /opt/paperround /opt/paperround
RUN useradd --system --uid 10001 --home-dir /data --create-home paperround
ENV PATH=/opt/paperround/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PAPERROUND_STORE__PATH=/data/paperround.db \
    PAPERROUND_WEB__ENABLED=true
USER paperround
WORKDIR /data
VOLUME /data
# Healthy while the process answers; /readyz says whether it also has Discord.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
# SIGTERM stops the bot in order within 10 seconds.
STOPSIGNAL SIGTERM
ENTRYPOINT ["paperround"]
CMD ["run"]
