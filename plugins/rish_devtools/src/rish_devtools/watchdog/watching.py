"""Watches a game: connects the checks with the App, and applies the policies to their reports."""

from __future__ import annotations

import logging
import time

from rish_core import (
    App,
    Interventions,
    Place,
    Profiler,
    UnknownName,
    UsageError,
    describe_error,
    place_of,
    place_of_error,
    say,
)

from .budgets import BACKEND, Budgets
from .hung_calls import Hangs, State
from .leaks import Leaks
from .log_limits import OWN, Floods
from .owners import CORE, ME, Owners
from .reports import CallStopped, Report, WatchdogError
from .resource import Watchdog
from .settings import WatchdogSettings
from .summary import summary

_log = logging.getLogger(OWN)
_STATES = {"running": "has been running for", "stopped": "is stopped after", "ended": "took"}


class Watching:
    """All checks of one App, from `begin` to `end`."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.owners = Owners(app)
        self._watchdog: Watchdog = app.world[Watchdog]
        self._settings: WatchdogSettings = app.world[WatchdogSettings]
        self._check_budgets()
        self._policies = {
            "budget": self._settings.budget_policy,
            "flood": self._settings.log_policy,
            "leak": self._settings.leak_policy,
        }
        self._undecided: list[Report] = []
        self._frame = self._failures = 0
        self.budgets = Budgets(self._settings, app.world[Profiler], self._place)
        self._hangs = Hangs(self.owners, self._hung, self.budgets.add_hook_time)
        self._floods = Floods(self._settings.log_lines, self.owners, app.world, self._report)
        self._leaks = Leaks(self._settings, app, self.owners)

    def _check_budgets(self) -> None:
        """Raise UsageError for a budget of a plugin that does not exist, or that is no time."""
        plugins = (*self.app.plugins.names, *self.app.plugins.absent, *self.app.plugins.aside, BACKEND)
        for name, budget in self._settings.budgets.items():
            if name not in plugins:
                what = f"settings.watchdog.budgets: no plugin '{name}' is loaded"
                raise UsageError(what, given=name, choices=plugins)
            if not 0 <= budget < float("inf"):
                raise UsageError(f"settings.watchdog.budgets.{name}: must be milliseconds from 0 up, not {budget!r}")

    def begin(self) -> None:
        """Begin to watch the thread that calls this."""
        stops = self._settings.hang if self._settings.hang_policy != "log" else 0.0
        self.app.wrap_calls(self._hangs.guard)
        self._hangs.start(self._settings.hang, stops)
        self._hangs.__enter__()
        self._floods.attach()
        self._leaks.begin()

    def look(self) -> None:
        """End a frame: compare, report, and apply the policies. Raises WatchdogError."""
        self._frame += 1
        for report in self.budgets.end_frame():
            if report.over:
                _log.info("plugin '%s' is within its budget again", report.plugin)
            else:
                self._report(report)
        self._floods.attach()
        self._floods.look(time.time())
        if self._leaks.is_due(time.monotonic()):
            self.check_leaks()
        self._count_hooks()
        while self._undecided:
            self._decide(self._undecided.pop(0))

    def check_leaks(self) -> None:
        """Report data that has grown at every check."""
        for report in self._leaks.check():
            self._report(report)

    def end(self) -> None:
        """Stop watching, and print the summary."""
        self.app.wrap_calls(None)
        self._hangs.__exit__()
        self._hangs.close()
        self._leaks.end()
        self._count_hooks()
        self._floods.detach()
        say(summary(self._watchdog.reports, self._frame), error=True)

    # Failures

    def system_failed(self, system: str, error: BaseException) -> str | None:
        """Count a failure of a system; return the policy for a call that was stopped, and for the watchdog's errors."""
        if isinstance(error, WatchdogError):
            return "raise"
        plugin = system.partition(".")[0]
        self._count(plugin, f"system '{system}'", place_of_error(error), error)
        return self._settings.hang_policy if isinstance(error, CallStopped) else None

    def _count_hooks(self) -> None:
        """Count the failures of hooks since the last call."""
        failures = self.app.plugins.failures
        for failure in failures[self._failures :]:
            self._count(failure.plugin, f"hook {failure.hook}", failure.place, failure.error)
        self._failures = len(failures)

    def _count(self, plugin: str, what: str, place: Place, error: BaseException) -> None:
        """Count a failure; the kernel has logged it, so it is only kept for the summary."""
        self._watchdog.failures[plugin] += 1
        if isinstance(error, CallStopped):
            return  # reported as a hang
        for report in self._watchdog.reports:
            if report.kind == "failure" and (report.plugin, report.what) == (plugin, what):
                report.count += 1
                return
        text = f"plugin '{plugin}' failed in {what}: {describe_error(error)}"
        self._watchdog.reports.append(Report("failure", plugin, what, place, text, self._frame))

    # Reports

    def _hung(self, plugin: str, what: str, place: Place | None, seconds: float, state: State) -> None:
        """Report a call that does not return.

        Called in the thread of `Hangs`, or after the call if that was blocked.
        """
        stopped = state == "stopped"
        text = f"{what} of plugin '{plugin}' {_STATES[state]} {seconds:.1f} s"
        report = next((r for r in self._watchdog.reports if (r.kind, r.plugin, r.what) == ("hang", plugin, what)), None)
        if report is None:
            report = Report("hang", plugin, what, place, text, self._frame, count=0)
            self._watchdog.reports.append(report)
        report.place, report.text, report.milliseconds = place, text, seconds * 1e3
        report.count += not stopped or not report.count
        _log.log(logging.ERROR if stopped else logging.WARNING, "%s", str(report), extra={"about": place})
        if stopped and what.startswith("hook") and self._settings.hang_policy == "raise":
            self._undecided.append(report)  # a failed hook only sets its plugin aside

    def _report(self, report: Report) -> None:
        """Record and log a report; unless its policy is `log`, it is decided on at the end of the frame."""
        report.frame = report.frame or self._frame
        if report not in self._watchdog.reports:
            self._watchdog.reports.append(report)
            if self._policies[report.kind] != "log":
                self._undecided.append(report)
        _log.warning("%s", str(report), extra={"about": report.place})

    def _decide(self, report: Report) -> None:
        """Apply the policy to a report. Raises WatchdogError."""
        if self._policies.get(report.kind, "raise") == "raise":
            raise WatchdogError(report.text, where=report.place)
        if report.plugin in (CORE, ME) or report.plugin not in self.app.plugins:
            return
        disabled = self.app.plugins.set_aside(report.plugin, report.text)
        self.app.world[Interventions].note(f"the watchdog disabled {report.plugin}")
        _log.error("%s: plugin '%s' is disabled", report.place, "', '".join(disabled))

    def _place(self, plugin: str, name: str) -> Place | None:
        """Return the place of a system, or of the hook of a plugin, named `plugin.rish_hook`."""
        for bound in self.app.schedule.systems:
            if bound.name == name:
                return bound.place
        try:
            hook = getattr(self.app.plugins[plugin].module, name.partition(".")[2], None)
        except UnknownName:
            return None
        return place_of(hook) if callable(hook) else None
