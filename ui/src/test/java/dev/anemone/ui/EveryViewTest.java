// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ui.server.UiServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** All views in light and dark, on a telephone, and by the keyboard. */
@Tag("slow")
class EveryViewTest {

  private static final List<String> VIEWS =
      List.of("plan", "time", "skew", "stores", "details", "compare");

  /** What the Web Content Accessibility Guidelines ask for, for text of any size. */
  private static final double LEAST_CONTRAST = 4.5;

  /** Widths of telephones are no smaller, in CSS pixels. */
  private static final int TELEPHONE = 360;

  @TempDir static Path temporary;

  private static UiServer server;
  private static Browser browser;

  @BeforeAll
  static void start() {
    SampleJobs jobs = new SampleJobs();
    jobs.add(SampleJob.model("skewed", SampleJob.succeeded("skewed", "DataSkew", 1, 12)));
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
    browser.scheme("light");
  }

  @AfterEach
  void nothingIsWrong() {
    assertThat(browser.console()).isEmpty();
  }

  /** Opens a view, with all that may stand in it. */
  private static void open(String job, String view) {
    browser.open(server.address() + "jobs/" + job + "#" + view);
    switch (view) {
      case "plan" -> {
        browser.await("details summary").click();
        browser.await("details tbody button").click();
        browser.awaitText(".side", "Properties");
      }
      case "time" -> {
        browser.await("#panel-time .timeline canvas").sendKeys(".");
        browser.awaitText("#panel-time", "Chosen attempt");
      }
      case "compare" -> {
        browser.await("#panel-compare option[value='pushed']").click();
        browser.await("#panel-compare .totals");
      }
      default -> browser.await("#panel-" + view);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void textIsReadableInEveryView(String scheme) {
    browser.scheme(scheme);
    for (String job : List.of("skewed", "failed")) {
      for (String view : VIEWS) {
        open(job, view);
        assertReadable(scheme, job + " " + view);
      }
    }
    browser.driver().get(server.address() + "jobs");
    browser.await("main.plain table");
    assertReadable(scheme, "all jobs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void textIsReadableWithoutJavaScript(String scheme) {
    browser.scheme(scheme);
    browser.javaScript(false);
    try {
      browser.driver().get(server.address() + "jobs/failed");
      browser.await("main.plain table");
      assertReadable(scheme, "without scripts");
    } finally {
      browser.javaScript(true);
    }
  }

  /** In colours of the scheme, all text that is shown stands out from what is behind it. */
  private static void assertReadable(String scheme, String what) {
    double page =
        ((Number) browser.script(COLOURS + "return luminance(behind(document.body));"))
            .doubleValue();
    if (scheme.equals("dark")) {
      assertThat(page).as(what).isLessThan(0.05);
    } else {
      assertThat(page).as(what).isGreaterThan(0.8);
    }
    Map<?, ?> found = (Map<?, ?>) browser.script(COLOURS + TEXTS);
    assertThat(((Number) found.get("texts")).intValue()).as(what).isGreaterThan(15);
    assertThat((List<?>) found.get("faint")).as(scheme + ", " + what).isEmpty();
  }

  private static final String COLOURS =
      """
      const parts = text => text.match(/[\\d.]+/g).map(Number);
      const over = (colour, under) => {
        const [r, g, b, a = 1] = colour;
        return [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
      };
      const behind = element => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
          layers.unshift(parts(getComputedStyle(at).backgroundColor));
        }
        return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
      };
      const luminance = rgb => {
        const [r, g, b] = rgb.map(value => value / 255)
          .map(value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (one, other) => {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
      };
      """;

  /** Texts of the page, and those of canvases, which are drawn in the page's colours. */
  private static final String TEXTS =
      """
      const faint = [];
      let texts = 0;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(element.tagName)
            || !element.checkVisibility() || element.closest(':disabled, .skip')
            || element.getClientRects().length === 0) continue;
        texts++;
        const under = behind(element);
        const colour = over(parts(getComputedStyle(element).color), under);
        const ratio = contrast(colour, under);
        if (ratio < LEAST) faint.push(`${walker.currentNode.data.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
      }
      const style = getComputedStyle(document.documentElement);
      const named = name => [1, 3, 5].map(at => parseInt(style.getPropertyValue(`--${name}`).trim().slice(at, at + 2), 16));
      for (const [text, under] of [['text', 'card'], ['text', 'sunken'], ['muted', 'card'], ['muted', 'sunken'],
          ['text', 'accent-soft'], ['text', 'good-soft'], ['text', 'warn-soft'], ['text', 'bad-soft']]) {
        const ratio = contrast(named(text), named(under));
        if (ratio < LEAST) faint.push(`${text} on ${under}: ${ratio.toFixed(2)}`);
      }
      return {texts, faint};
      """
          .replace("LEAST", String.valueOf(LEAST_CONTRAST));

  @Test
  void nothingIsWiderThanATelephone() {
    browser.size(TELEPHONE, 740);
    for (String job : List.of("skewed", "failed")) {
      for (String view : VIEWS) {
        open(job, view);
        assertNarrow(job + " " + view);
      }
    }
    browser.driver().get(server.address() + "jobs");
    browser.await("main.plain table");
    assertNarrow("all jobs");
  }

  private static void assertNarrow(String what) {
    assertThat(browser.width()).as(what).isLessThanOrEqualTo(TELEPHONE);
    assertThat(((Number) browser.script("return document.documentElement.scrollWidth")).intValue())
        .as(what)
        .isLessThanOrEqualTo(TELEPHONE);
  }

  @Test
  void allThatCanBeClickedIsReachedByTab() {
    for (String view : VIEWS) {
      open("skewed", view);
      browser.script(
          "const first = document.querySelector('.skip'); first.focus(); first.dataset.reached = 'true';");
      List<String> reached = tabThrough();
      assertThat(reached).as(view).contains("tab-" + view);
      Object missed =
          browser.script(
              """
              return [...document.querySelectorAll(
                  'a[href], button, input, select, summary, canvas[tabindex], .graph')]
                .filter(element => element.checkVisibility() && !element.closest(':disabled')
                  && element.getAttribute('role') !== 'tab' && !element.dataset.reached)
                .map(element => element.outerHTML.slice(0, 120));
              """);
      assertThat((List<?>) missed).as(view).isEmpty();
    }
  }

  /** Presses the key until the focus is back; whatever has it can be seen to have it. */
  private static List<String> tabThrough() {
    List<String> reached = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
      Map<?, ?> focused =
          (Map<?, ?>)
              browser.script(
                  """
                  const element = document.activeElement;
                  const again = element === document.body || Boolean(element.dataset.reached);
                  element.dataset.reached = 'true';
                  const style = getComputedStyle(element);
                  return {again, id: element.id, what: element.outerHTML.slice(0, 120),
                    seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0};
                  """);
      if ((Boolean) focused.get("again")) {
        return reached;
      }
      assertThat((Boolean) focused.get("seen")).as(focused.get("what").toString()).isTrue();
      reached.add(focused.get("id").toString());
    }
    throw new AssertionError("the focus does not come back from " + reached);
  }

  @Test
  void everyViewWorksByTheKeyboard() {
    browser.open(server.address() + "jobs/skewed#plan");
    WebElement slider = browser.await("input[type=range]");
    String last = browser.text(".pass-name");
    slider.sendKeys(Keys.ARROW_LEFT);
    assertThat(browser.text(".pass-name")).isNotEqualTo(last);
    slider.sendKeys(Keys.ARROW_RIGHT);
    assertThat(browser.text(".pass-name")).isEqualTo(last);

    WebElement graph = browser.await(".graph");
    double zoom = graphZoom();
    graph.sendKeys("+");
    assertThat(graphZoom()).isGreaterThan(zoom);
    graph.sendKeys("0");
    assertThat(graphZoom()).isEqualTo(zoom);

    browser.await("details summary").sendKeys(Keys.ENTER);
    browser.await("details tbody button").sendKeys(Keys.ENTER);
    browser.awaitText(".side", "Properties");

    browser.driver().switchTo().activeElement().sendKeys("2");
    browser.await("#panel-time .timeline canvas").sendKeys(".");
    browser.awaitText("#panel-time", "Chosen attempt");
    String first = browser.text("#panel-time [aria-live]");
    browser.await("#panel-time .timeline canvas").sendKeys("+", "+", ".", ".");
    assertThat(browser.text("#panel-time [aria-live]")).isNotEqualTo(first);
    browser.await("#panel-time .timeline canvas").sendKeys(",", ",");
    assertThat(browser.text("#panel-time [aria-live]")).isEqualTo(first);

    browser.driver().switchTo().activeElement().sendKeys("6");
    WebElement other = browser.await("#panel-compare option[value='pushed']");
    WebElement choice = browser.await("#panel-compare select");
    while (!other.isSelected()) {
      choice.sendKeys(Keys.ARROW_DOWN);
    }
    browser.awaitText("#panel-compare .totals", "Clicks by user, LargeShuffle");
  }

  private static double graphZoom() {
    return ((Number) browser.script("return document.querySelector('.graph')._cyreg.cy.zoom()"))
        .doubleValue();
  }
}
