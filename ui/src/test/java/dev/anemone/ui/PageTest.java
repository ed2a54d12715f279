// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.LoggedJob;
import dev.anemone.ui.page.JobPage;
import dev.anemone.ui.server.UiServer;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The page in a browser. */
@Tag("slow")
class PageTest {

  private static final String NO_ALERT =
      "return document.querySelectorAll('#app script, #app img, #app b > i, #app i[onclick]').length";

  @TempDir static Path temporary;

  private static SampleJobs jobs;
  private static UiServer server;
  private static Browser browser;

  @BeforeAll
  static void start() {
    jobs = new SampleJobs();
    jobs.add(SampleJob.model("plain", SampleJob.succeeded("plain", "Default", 1, 12)));
    jobs.add(SampleJob.model("skew ed", SampleJob.succeeded("skew ed", "DataSkew", 1, 12)));
    jobs.add(SampleJob.model("pushed", SampleJob.succeeded("pushed", "LargeShuffle", 1, 12)));
    jobs.add(SampleJob.model("failed", SampleJob.failed("failed")));
    server = UiServer.start("127.0.0.1", 0, jobs);
    browser = Browser.start(temporary.resolve("profile"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
    server.close();
  }

  @BeforeEach
  void windowOfADesktop() {
    browser.size(1280, 900);
  }

  @AfterEach
  void nothingIsWrong() {
    assertThat(browser.console()).isEmpty();
  }

  private static String page(String job) {
    return server.address() + "jobs/" + job;
  }

  @Test
  void aJobIsWatchedWhileItRuns() {
    List<JobEvent> events = SampleJob.running("live", "Default", 1, 12);
    List<JobEvent> first =
        events.stream().filter(event -> !(event instanceof TaskFinished)).toList();
    JobModel job = jobs.add(SampleJob.model("live", first));
    browser.open(page("live"));
    browser.awaitText(".pill", "running");
    assertThat(browser.await("#tab-time").getAttribute("aria-selected")).isEqualTo("true");
    browser.awaitText(".stages", "0 / 12");
    events.stream().filter(TaskFinished.class::isInstance).forEach(job::add);
    browser.awaitText(".stages", "12 / 12");
    browser.awaitText(".faults", "connection reset");
    job.add(new JobFinished(1_767_225_700_000L, JobFinished.State.SUCCEEDED, Optional.empty()));
    browser.awaitText(".pill", "succeeded");
  }

  @Test
  void thePassesOfAPlanAreSteppedThrough() {
    browser.open(page("plain") + "#plan");
    WebElement slider = browser.await("input[type=range]");
    slider.sendKeys(Keys.HOME);
    browser.awaitText(".pass-name", "The program, translated");
    browser.await("body").sendKeys("c");
    browser.awaitText(".pass-name", "Default/");
    assertThat(marks()).contains("changed");
    String before = browser.text(".pass-name");
    browser.await("body").sendKeys("n");
    assertThat(browser.text(".pass-name")).isNotEqualTo(before);
    browser.await("body").sendKeys("p");
    assertThat(browser.text(".pass-name")).isEqualTo(before);
  }

  @Test
  void addedVerticesAreMarkedAndExplained() {
    browser.open(page("plain") + "#plan");
    browser.await("input[type=range]").sendKeys(Keys.HOME);
    String added = "added";
    for (int pass = 0; pass < 40 && !marks().contains(added); pass++) {
      browser.await("body").sendKeys("n");
    }
    assertThat(marks()).contains(added);
    browser.await("details summary").click();
    WebElement row =
        browser.driver().findElements(By.cssSelector("details tbody tr")).stream()
            .filter(candidate -> candidate.getText().contains(added))
            .findFirst()
            .orElseThrow();
    row.findElement(By.tagName("button")).click();
    browser.awaitText(".side", "added by this pass");
  }

  private static String marks() {
    return String.valueOf(
        browser.script(
            "return [...document.querySelectorAll('details tbody tr')]"
                + ".map(row => row.lastChild.textContent).join()"));
  }

  @Test
  void aSkewedJobShowsItsBars() {
    browser.open(page("skew%20ed") + "#skew");
    browser.awaitText("#panel-skew", "Plain hashing: largest 9.4 MB");
    browser.awaitText(".hot", "5 tasks");
    WebElement chart = browser.await("#panel-skew .chart canvas");
    assertThat(chart.getSize().getHeight()).isGreaterThan(200);
    // The bars of both kinds are as high as they are meant to be: the largest one is grey.
    Object tall =
        browser.script(
            """
            const canvas = document.querySelector('#panel-skew .chart canvas');
            const pen = canvas.getContext('2d');
            const row = Math.round(canvas.height * 0.3);
            const {data} = pen.getImageData(0, row, canvas.width, 1);
            const bar = getComputedStyle(document.documentElement).getPropertyValue('--killed').trim();
            const [r, g, b] = [1, 3, 5].map(at => parseInt(bar.slice(at, at + 2), 16));
            let pixels = 0;
            for (let i = 0; i < data.length; i += 4) {
              if (data[i] === r && data[i + 1] === g && data[i + 2] === b) pixels++;
            }
            return pixels;
            """);
    assertThat(((Number) tall).intValue()).isGreaterThan(10);
  }

  @Test
  void aFailedJobShowsItsExceptionFirst() {
    browser.open(page("failed"));
    browser.awaitText(".pill", "failed");
    browser.awaitText(".trace", "com.example.Clicks$RatioFn.processElement(Clicks.java:42)");
    assertThat(browser.text(".remark")).contains("/ by zero");
  }

  @Test
  void namesOfAProgramAreText() {
    browser.open(page("failed"));
    browser.awaitText(".trace", "<b>no impressions</b>");
    for (String view : List.of("plan", "time", "skew", "stores", "compare", "details")) {
      browser.tab(view);
      assertThat(browser.script(NO_ALERT)).as(view).isEqualTo(0L);
    }
    browser.tab("time");
    browser.awaitText(".stages", "<script>alert(1)<");
    browser.tab("details");
    browser.awaitText("#panel-details", "<img src=x onerror=alert(1)>");
    browser.awaitText("#panel-details", "<i>malformed</i>");
  }

  @Test
  void tabsAreReachedByKeys() {
    browser.open(page("plain") + "#plan");
    browser.await("body").sendKeys("2");
    browser.await("#panel-time .timeline canvas");
    browser.driver().switchTo().activeElement().sendKeys(Keys.ARROW_RIGHT);
    browser.await("#panel-skew");
    browser.driver().switchTo().activeElement().sendKeys(Keys.END);
    browser.await("#panel-compare");
    browser.driver().switchTo().activeElement().sendKeys(Keys.HOME);
    WebElement graph = browser.await("#panel-plan .graph");
    graph.sendKeys("+");
    assertThat(browser.script("return document.activeElement.className").toString())
        .contains("graph");
  }

  @Test
  void anAttemptOfTheTimelineIsChosen() {
    browser.open(page("plain") + "#time");
    WebElement canvas = browser.await(".timeline canvas");
    new Actions(browser.driver())
        .scrollToElement(canvas)
        .moveToElement(canvas, 0, canvas.getSize().getHeight() / 2 - 16)
        .perform();
    // Zoomed to one attempt, it is in the middle.
    int x = canvas.getSize().getWidth();
    for (int step = -x / 2 + 130; step < x / 2 && browser.text(".tip").isEmpty(); step += 25) {
      new Actions(browser.driver())
          .moveToElement(canvas, step, canvas.getSize().getHeight() / 2 - 16)
          .perform();
    }
    browser.awaitText(".tip", "read");
    new Actions(browser.driver()).click().perform();
    browser.awaitText("#panel-time", "Chosen attempt");
    canvas.sendKeys("+", Keys.ARROW_RIGHT, "0");
  }

  @Test
  void twoJobsAreCompared() {
    browser.open(page("plain") + "#compare");
    browser.await("#panel-compare option[value='pushed']").click();
    browser.awaitText("#panel-compare .totals", "Clicks by user, LargeShuffle");
    browser.awaitText("#panel-compare", "not there");
    browser.awaitText("#panel-compare", "relay");
  }

  @Test
  void theJobChosenLastIsComparedThoughAnotherAnswersLater() {
    browser.open(page("plain") + "#compare");
    WebElement late = browser.await("#panel-compare option[value='failed']");
    browser.script(
        """
        const fetched = window.fetch;
        const released = new Promise(resolve => { window.release = resolve; });
        window.fetch = (what, ...more) => String(what).includes('/failed')
            ? released.then(() => fetched(what, ...more)) : fetched(what, ...more);
        """);
    late.click();
    browser.await("#panel-compare option[value='pushed']").click();
    browser.awaitText("#panel-compare .totals", "Clicks by user, LargeShuffle");
    browser
        .driver()
        .executeAsyncScript(
            """
            const done = arguments[0];
            new PerformanceObserver((list, observer) => {
              if (!list.getEntries().some(entry => entry.name.includes('/failed/tasks'))) return;
              observer.disconnect();
              requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
            }).observe({type: 'resource'});
            window.release();
            """);
    assertThat(browser.text("#panel-compare .totals")).contains("LargeShuffle");
  }

  @Test
  void aReportIsOneFileThatLoadsNothing() throws Exception {
    Path file = temporary.resolve("job.html");
    Files.writeString(
        file, JobPage.report(SampleJob.model("r", SampleJob.succeeded("r", "DataSkew", 1, 12))));
    browser.open(file.toUri() + "#plan");
    browser.await(".graph canvas");
    browser.tab("skew");
    browser.await("#panel-skew .chart canvas");
    browser.tab("time");
    browser.awaitText(".stages", "12 / 12");
    assertThat(browser.script(NO_ALERT)).isEqualTo(0L);
    assertThat(browser.requests())
        .isNotEmpty()
        .allSatisfy(request -> assertThat(request).containsAnyOf("file:///", "\"url\":\"data:"));
    assertThat(browser.requests().stream().filter(request -> request.contains("file:///")).count())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void withoutJavaScriptThereAreTablesOnATelephoneToo() throws Exception {
    Path report = temporary.resolve("plain.html");
    Files.writeString(report, JobPage.report(SampleJob.model("r", SampleJob.failed("r"))));
    browser.size(360, 740);
    browser.javaScript(false);
    try {
      for (String address : List.of(page("failed"), report.toUri().toString())) {
        browser.driver().get(address);
        browser.awaitText("main.plain", "com.example.Clicks$RatioFn.processElement");
        browser.awaitText("main.plain table", "<script>alert(1)</script>");
        assertThat(browser.driver().findElements(By.cssSelector("#app *"))).isEmpty();
        assertThat(browser.width()).as(address).isLessThanOrEqualTo(360);
      }
    } finally {
      browser.javaScript(true);
    }
  }

  @Test
  void aJobThatWasKilledIsShownWithItsLastStateAndMarked() throws Exception {
    String log = SampleJob.log(SampleJob.running("killed", "Default", 1, 12));
    try (var cut = new ByteArrayInputStream(log.substring(0, log.length() - 40).getBytes(UTF_8))) {
      jobs.add(LoggedJob.read("killed", cut));
    }
    browser.open(page("killed"));
    browser.awaitText(".pill", "unfinished");
    browser.awaitText(".remark", "does not say how the job ended");
    browser.tab("time");
    browser.awaitText(".stages", " / 12");
  }

  @Test
  void tenThousandTasksStayFluid() {
    jobs.add(SampleJob.model("large", SampleJob.succeeded("large", "Default", 100, 100)));
    assertThat(least(2000, PageTest::loadedMillis)).as("loading").isLessThan(2000);
    WebElement canvas = browser.await(".timeline canvas");
    for (String keys : List.of("+", "+", "-", "0")) {
      assertThat(least(100, () -> frameMillis(canvas, keys))).as(keys).isLessThan(100);
    }
    assertThat(browser.driver().findElements(By.cssSelector("#panel-time *")).size())
        .isLessThan(12_000);
    // Other than loading and frames this is no promise: a machine may be busy with builds.
    assertThat(least(2000, PageTest::planMillis)).as("the plan").isLessThan(8000);
    assertThat(browser.driver().findElements(By.cssSelector("details tbody tr")))
        .hasSizeGreaterThan(299);
    WebElement graph = browser.await(".graph");
    assertThat(least(100, () -> medianFrameMillis(graph))).as("moving it").isLessThan(100);
  }

  /**
   * The least of a few measurements, on a machine that others use, too, and so may be slow for a
   * while; the first one that keeps a promise.
   */
  private static double least(double promised, DoubleSupplier measurement) {
    double least = Double.POSITIVE_INFINITY;
    for (int tries = 0; tries < 4 && least >= promised; tries++) {
      least = Math.min(least, measurement.getAsDouble());
    }
    return least;
  }

  private static double loadedMillis() {
    browser.open(page("large") + "#time");
    return number("performance.getEntriesByType('mark').find(m => m.name === 'ready').startTime");
  }

  private static double frameMillis(WebElement canvas, String keys) {
    canvas.sendKeys(keys);
    return Double.parseDouble(canvas.getAttribute("data-frame-ms"));
  }

  private static double planMillis() {
    browser.open(page("large") + "#time");
    browser.script(
        """
        const begin = performance.now();
        document.getElementById('tab-plan').click();
        window.planMillis = performance.now() - begin;
        """);
    return number("window.planMillis");
  }

  private static double medianFrameMillis(WebElement graph) {
    browser.script(
        """
        window.frames = [];
        let before = performance.now();
        const tick = now => {
          window.frames.push(now - before);
          before = now;
          if (window.frames.length < 40) requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
        """);
    for (int i = 0; i < 8; i++) {
      graph.sendKeys("+", Keys.ARROW_RIGHT, "-");
    }
    return number("window.frames.sort((a, b) => a - b)[Math.floor(window.frames.length / 2)]");
  }

  private static double number(String expression) {
    return ((Number) browser.script("return " + expression)).doubleValue();
  }
}
