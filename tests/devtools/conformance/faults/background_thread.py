"""A thread changes the state."""

import threading

from rish_core import About, component, field


@component
class Mark:
    """Marks an entity."""

    value: float = field(0.0, unit="units")


over = threading.Event()
threads = []


def rish_ready(app):
    def change():
        while not over.wait(0.001):
            app.world[Mark].value[:] += 1

    over.clear()
    threads.append(threading.Thread(target=change))
    threads[-1].start()


def rish_shutdown(world):
    over.set()
    threads.pop().join()


def rish_about():
    return About(description="a fault")


def rish_components():
    return [Mark]
