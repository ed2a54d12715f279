// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** A file that the page needs. The page knows it by its name, wherever it lies. */
public enum Asset {
  CYTOSCAPE("cytoscape.js", "/META-INF/resources/webjars/cytoscape/3.33.1/dist/cytoscape.min.js"),
  DAGRE("dagre.js", "/META-INF/resources/webjars/dagre/0.8.4/dist/dagre.min.js"),
  UPLOT("uplot.js", "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.iife.min.js"),
  UPLOT_STYLE("uplot.css", "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.min.css"),
  STYLE("page.css"),
  TEXT("text.js"),
  JOB("job.js"),
  DIFF("diff.js"),
  PLAN("plan.js"),
  LANES("lanes.js"),
  TIMELINE("timeline.js"),
  TIME("time.js"),
  SKEW("skew.js"),
  STORES("stores.js"),
  DETAILS("details.js"),
  COMPARE("compare.js"),
  MAIN("main.js");

  private final String fileName;
  private final String resource;

  Asset(String fileName) {
    this(fileName, fileName);
  }

  Asset(String fileName, String resource) {
    this.fileName = fileName;
    this.resource = resource;
  }

  /** Its name in the page's addresses. */
  public String fileName() {
    return fileName;
  }

  /** The asset of that name. */
  public static Optional<Asset> named(String fileName) {
    return Arrays.stream(values()).filter(asset -> asset.fileName.equals(fileName)).findFirst();
  }

  /** What it is, for a browser. */
  public String contentType() {
    return (fileName.endsWith(".css") ? "text/css" : "text/javascript") + "; charset=utf-8";
  }

  /** Whether it is a library's, which is a script of its own and no module. */
  boolean isLibrary() {
    return resource.startsWith("/");
  }

  /** Its content. */
  public String text() {
    try (InputStream in = Asset.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + " is not on the class path; it belongs to anemone-ui's dependencies");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
