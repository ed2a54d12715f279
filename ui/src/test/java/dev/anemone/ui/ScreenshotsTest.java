// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the pictures of the documents, with {@code -Dscreenshots=DIRECTORY}: of the reports of jobs
 * that run for it, which look as the served page does.
 */
@EnabledIfSystemProperty(named = "screenshots", matches = ".+")
class ScreenshotsTest {

  /** Eight blocks of HDFS. */
  private static final int ROWS = 300_000;

  private final Path directory = Path.of(System.getProperty("screenshots", "."));

  @TempDir Path temporary;

  @Test
  void fivePicturesAreTaken() throws Exception {
    Path plain = temporary.resolve("plain.html");
    Path skewed = temporary.resolve("skewed.html");
    Path pushed = temporary.resolve("pushed.html");
    Path failed = temporary.resolve("failed.html");
    // The classes of a first job are loaded in its time.
    ClickJob.succeed(plain, "--parallelism=12");
    ClickJob.succeed(skewed, "--optimizationPolicy=DataSkew", "--parallelism=12");
    try (StoredTable table = new StoredTable(temporary.resolve("table"), ROWS)) {
      OrdersJob.run(table, pushed, "--optimizationPolicy=NearData", "--ndpNetwork=4MB");
      OrdersJob.run(table, pushed, "--optimizationPolicy=NearData", "--ndpNetwork=4MB");
    }
    ClickJob.fail(failed, "--maxTaskAttempts=2");
    try (Browser browser = Browser.start(temporary.resolve("profile"))) {
      take(browser, plain, "plan", "light", 1240);
      take(browser, skewed, "time", "light", 900);
      take(browser, skewed, "skew", "light", 800);
      take(browser, failed, "details", "light", 860);
      take(browser, pushed, "stores", "dark", 1000);
    }
    assertThat(directory).isDirectoryContaining("glob:**/ui-stores.png");
  }

  private void take(Browser browser, Path page, String view, String scheme, int height)
      throws Exception {
    browser.scheme(scheme);
    browser.size(1280, height);
    browser.open(page.toUri() + "#" + view);
    // Two frames, as canvases are drawn in the next one.
    browser.script(
        "return new Promise(done =>"
            + " requestAnimationFrame(() => requestAnimationFrame(() => done())))");
    assertThat(browser.console()).isEmpty();
    browser.screenshot(directory.resolve("ui-" + view + ".png"));
  }
}
