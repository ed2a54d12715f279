// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import dev.anemone.testing.Requirement;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium, and what tests ask of it. */
final class Browser implements AutoCloseable {

  private static final File CHROMIUM = new File("/usr/bin/chromium");
  private static final File DRIVER = new File("/usr/bin/chromedriver");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one, with a profile in that directory; skips the test where there is none. */
  static Browser start(Path profile) {
    Requirement.CHROMIUM.check(
        CHROMIUM.canExecute() && DRIVER.canExecute(),
        CHROMIUM + " and " + DRIVER + " are Debian's packages chromium and chromium-driver");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM);
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--force-color-profile=srgb",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).usingAnyFreePort().build();
    return new Browser(new ChromeDriver(service, options));
  }

  /** Opens a page, with nothing left of the one before, and waits until it is there. */
  void open(String address) {
    driver.get("about:blank");
    console();
    requests();
    driver.get(address);
    await("body[data-ready]");
  }

  ChromeDriver driver() {
    return driver;
  }

  /** Waits for an element that is to be seen; the page may replace what it shows meanwhile. */
  WebElement await(String selector) {
    return new WebDriverWait(driver, PATIENCE)
        .withMessage(() -> selector + " does not come; the console says " + console())
        .ignoring(StaleElementReferenceException.class)
        .until(
            d ->
                d.findElements(By.cssSelector(selector)).stream()
                    .filter(WebElement::isDisplayed)
                    .findFirst()
                    .orElse(null));
  }

  /** Waits until an element has a text. */
  void awaitText(String selector, String text) {
    new WebDriverWait(driver, PATIENCE)
        .withMessage(() -> selector + " is not " + text + " but " + text(selector))
        .ignoring(StaleElementReferenceException.class)
        .until(d -> text(selector).contains(text));
  }

  /** The text of all elements that are to be seen. */
  String text(String selector) {
    return String.join(
        "\n",
        driver.findElements(By.cssSelector(selector)).stream().map(WebElement::getText).toList());
  }

  /** What a script gives, with {@code return}. */
  Object script(String script) {
    return driver.executeScript(script);
  }

  /** Opens a tab of the page. */
  void tab(String id) {
    await("#tab-" + id).click();
    await("#panel-" + id);
  }

  /** Errors and warnings since the last time. */
  List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** What was asked of a network or a disk since the last time, as Chromium tells it. */
  List<String> requests() {
    return driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(LogEntry::getMessage)
        .filter(message -> message.contains("\"Network.requestWillBeSent\""))
        .toList();
  }

  /** Makes the window so large, in CSS pixels, also below what a desktop's window may be. */
  void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
  }

  /** How wide what is shown is, in CSS pixels, with what has to be scrolled to. */
  int width() {
    Map<?, ?> metrics = driver.executeCdpCommand("Page.getLayoutMetrics", Map.of());
    return ((Number) ((Map<?, ?>) metrics.get("cssContentSize")).get("width")).intValue();
  }

  /** Whether pages that are opened from now on run scripts. */
  void javaScript(boolean runs) {
    driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !runs));
  }

  /** Light or dark. */
  void scheme(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Writes what is to be seen. */
  void screenshot(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
