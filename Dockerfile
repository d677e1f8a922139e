# Velha in a container: compose.yaml runs it, and docs/en/RUNNING.md says how. `python -m tests.image`
# builds it and plays a game in it or, without a container engine, does the same steps in a folder.
FROM python:3.13-slim

LABEL org.opencontainers.image.title=velha \
      org.opencontainers.image.version=1.0.0.dev0 \
      org.opencontainers.image.licenses=MIT \
      org.opencontainers.image.description="Tic-tac-toe for Discord"

# Packages first: they change less often than the code.
COPY requirements.txt /velha/
RUN python -m venv /velha/.venv \
 && /velha/.venv/bin/pip install --quiet --no-cache-dir -r /velha/requirements.txt
COPY engine /velha/engine
COPY bot /velha/bot
RUN /velha/.venv/bin/python -m compileall -q /velha/engine /velha/bot

# The one place that is written to, by somebody who may do nothing else. There is no VOLUME for it:
# Railway refuses that, and compose.yaml names one.
RUN install -d -m 700 -o 10001 -g 10001 /data
USER 10001:10001
WORKDIR /data
ENV PATH=/velha/.venv/bin:$PATH PYTHONPATH=/velha PYTHONDONTWRITEBYTECODE=1

HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
# A restart policy knows no exit codes: a wrong setting is tried again in an hour, not at once.
CMD ["--hold"]
