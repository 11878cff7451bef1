"""A Spark cluster of real processes: a master and workers on this machine, from the pyspark package."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pyspark

HOME = Path(pyspark.__path__[0])


class Daemon:
    """A master or a worker in a session of its own, which its executors share."""

    def __init__(self, kind, folder, name, *arguments):
        self.log = folder / f"{name}.log"
        environment = {
            **os.environ,
            "SPARK_HOME": str(HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
        }
        command = [HOME / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}", *arguments]
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                list(map(str, command)), stdout=log, stderr=log, env=environment, start_new_session=True
            )

    def wait_for(self, pattern, seconds=120):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.log.read_text())
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(f"{pattern!r} did not appear in\n{self.log.read_text()[-3000:]}")

    def cpu_seconds(self):
        """Processor time of the process and everything it started, those that have ended included."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # has just ended
            if int(fields[3]) == self.process.pid:
                ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def kill(self):
        """The process and its executors at once, as when a machine loses power."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class Cluster:
    def __init__(self, folder, workers=2):
        self.folder, self.workers = folder, []
        self.master = Daemon(
            "master.Master", folder, "master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"
        )
        try:
            self.url = self.master.wait_for(r"spark://127\.0\.0\.1:\d+").group()
            self.workers += [self.start_worker(f"worker-{number}") for number in range(workers)]
            for worker in self.workers:
                worker.wait_for("Successfully registered with master")
        except BaseException:
            self.close()  # nobody else will
            raise

    def start_worker(self, name):
        options = ["--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g"]
        return Daemon("worker.Worker", self.folder, name, *options, "--work-dir", self.folder / name, self.url)

    def replace(self, number):
        """Starts a worker in place of one that was killed; a running session takes it in."""
        self.workers[number] = self.start_worker(f"another-{number}")
        self.workers[number].wait_for("Successfully registered with master")

    def session(self, **settings):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.url).appName("structhash")
        known = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.executor.memory": "600m",
            "spark.executor.cores": "1",
            "spark.sql.shuffle.partitions": "2",
            **settings,
        }
        for name, value in known.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        return session

    def close(self):
        for daemon in [*self.workers, self.master]:
            daemon.kill()
