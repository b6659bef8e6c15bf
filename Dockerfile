# The web lab, with a class that hands in: `docker build -t damier .`; compose.yaml starts it.
FROM python:3.13-slim
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap mount && rm -rf /var/lib/apt/lists/*
COPY . /usr/src/damier
RUN pip install --no-cache-dir "/usr/src/damier[web,class]" && useradd --create-home damier && install -d -o damier /class
USER damier
WORKDIR /class
VOLUME /class
EXPOSE 8000
ENTRYPOINT ["damier"]
CMD ["serve", "--class", "/class/lab", "--sheet", "s4", "--host", "0.0.0.0"]
