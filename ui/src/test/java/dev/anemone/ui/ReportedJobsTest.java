// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Reports of jobs with tables in storage and with a memory pool, in a browser. */
@Tag("slow")
class ReportedJobsTest {

  /** Eight blocks of HDFS. */
  private static final int ROWS = 300_000;

  private static final String FILTER = "filter ((quantity >= 10L) and (quantity <= 40L))";

  @TempDir static Path temporary;

  private static StoredTable table;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    table = new StoredTable(temporary, ROWS);
    browser = Browser.start(temporary.resolve("profile"));
    browser.size(1280, 900);
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    table.close();
  }

  @AfterEach
  void nothingIsWrong() {
    assertThat(browser.console()).isEmpty();
  }

  private static Path report(String name) {
    return temporary.resolve(name + ".html");
  }

  @Test
  void splitsThatWerePushedAreShownWithTheirTimes() {
    OrdersJob.run(table, report("pushed"), "--optimizationPolicy=NearData", "--ndpNetwork=10KB");

    browser.open(report("pushed").toUri() + "#stores");

    browser.awaitText("#panel-stores", "8 of 8 splits were pushed to the storage side");
    List<List<String>> rows = rows("#panel-stores .pushdown");
    assertThat(rows)
        .hasSize(8)
        .allSatisfy(
            row -> {
              assertThat(row.get(1)).startsWith("orders.csv[");
              assertThat(row.get(2)).startsWith("pushed to 127.0.0.1:");
              assertThat(row.get(3).lines()).hasSizeGreaterThan(2).anyMatch(FILTER::equals);
              // Predicted for the split and for the job, pushed and pulled, and what it took.
              assertThat(row.subList(4, 9)).allMatch(text -> text.matches("[1-9].*(ms|s)"));
              assertThat(row.get(5)).as("over so slow a network").contains("min");
            });
  }

  @Test
  void splitsThatWerePulledAreShownWithTheCause() {
    OrdersJob.run(table, report("pulled"), "--optimizationPolicy=NearData", "--ndpNetwork=100GB");

    browser.open(report("pulled").toUri() + "#stores");

    browser.awaitText("#panel-stores", "of 8 splits were pushed to the storage side");
    assertThat(rows("#panel-stores .pushdown"))
        .hasSize(8)
        .anySatisfy(row -> assertThat(row.get(2)).isEqualTo("pulled: pushing was not worth it"))
        .allSatisfy(row -> assertThat(row.get(8)).matches("[1-9].*(ms|s)"));
  }

  private static List<List<String>> rows(String tables) {
    return browser.driver().findElements(By.cssSelector(tables + " tbody tr")).stream()
        .map(row -> row.findElements(By.tagName("td")).stream().map(WebElement::getText).toList())
        .toList();
  }

  @Test
  void theQueryThatAnEngineRunsIsShownInLines() {
    OrdersJob.run(table, report("query"), "--optimizationPolicy=NoPushdown");

    browser.open(report("query").toUri() + "#plan");

    // Three tasks of the query have become one, in a job that ended before it was asked.
    assertThat(browser.text(".tiles")).contains("8 / 8");
    browser.await("details summary").click();
    browser.driver().findElements(By.cssSelector("details tbody tr")).stream()
        .filter(row -> row.getText().contains("/Columns/Result "))
        .findFirst()
        .orElseThrow()
        .findElement(By.tagName("button"))
        .click();
    browser.awaitText(".side", "Engine query, on each partition");
    assertThat(browser.text(".side .query").lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("  aggregate final by g0, g1: "))
        .anyMatch(line -> line.startsWith("    input x0 ("));
    assertThat(browser.text(".side dl")).doesNotContain("aggregate final");
    // Long lines go on below, in view.
    assertThat(
            browser.script(
                "const query = document.querySelector('.side .query');"
                    + "return query.scrollWidth <= query.clientWidth"))
        .isEqualTo(true);
    browser.await(".side button").click();
    browser.awaitText(".side [role=status]", "");
    assertThat(browser.script("return getSelection().toString()"))
        .isEqualTo(browser.text(".side .query"));
  }

  @Test
  void whatWasReadFromCopiesOfThePoolsPagesIsShownForEachEdge() throws Exception {
    PooledJob.run(report("cached"), "--memoryPoolCacheMb=4");
    PooledJob.run(report("uncached"));

    browser.open(report("cached").toUri() + "#stores");

    browser.awaitText("#panel-stores .links", "Read from copies");
    assertThat(rows("#panel-stores .links"))
        .anySatisfy(
            row ->
                assertThat(row)
                    .contains("REMOTE_MEMORY")
                    .anyMatch(
                        text -> text.matches("[1-9][\\d.]* KB in [1-9]\\d* reads, missed \\d+")));
    browser.open(report("uncached").toUri() + "#stores");
    browser.awaitText("#panel-stores .links", "REMOTE_MEMORY");
    assertThat(browser.text("#panel-stores .links"))
        .doesNotContain("Read from copies")
        .contains("In the memory pool", "Overflowed to files", "Read from the pool");
  }
}
