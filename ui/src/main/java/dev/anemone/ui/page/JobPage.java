// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.page;

import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.JobJson;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page in its three forms: of a job, whose data a server gives; of a list of jobs; and a
 * report, which has everything in it and loads nothing. What a program has named stands in it as
 * text only. A page leads to others by where they are from it, as its server may be behind one that
 * knows it by a longer address.
 */
public final class JobPage {

  /**
   * What the pages of a server may load: what that server has, and nothing that stands in the page
   * itself.
   */
  public static final String SERVED_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /**
   * Cytoscape puts its own style into the page unless an element of this id is there; the page's
   * style has what it needs.
   */
  private static final String STYLE_ID = "__________cytoscape_stylesheet";

  private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]*;\n");
  private static final Pattern EXPORT = Pattern.compile("(?m)^export ");

  private JobPage() {}

  /** The page of a job, whose data comes from the server that it comes from. */
  public static String ofJob(JobHead head) {
    return page(
        title(head.summary()),
        linked("../", Asset.UPLOT_STYLE) + linked("../", Asset.STYLE),
        PlainTables.ofJob(head),
        "data-job=\"" + Html.escaped(Addresses.segment(head.summary().id())) + "\"",
        scripts(Asset::isLibrary)
            + "<script type=\"module\" src=\"../assets/"
            + Asset.MAIN.fileName()
            + "\"></script>\n");
  }

  /**
   * A page that leads to that of a job. Who asks for it through a proxy does not get what an answer
   * with another address leads to under that address.
   */
  public static String toJob(JobSummary job) {
    return template("first.html")
        .replace("{{address}}", "jobs/" + Addresses.segment(job.id()))
        .replace("{{title}}", Html.escaped(title(job)));
  }

  /** The page of all jobs. Needs no script. */
  public static String ofJobs(List<JobSummary> jobs, List<String> remarks) {
    String notes =
        remarks.stream()
            .map(remark -> "<p class=\"remark\">" + Html.escaped(remark) + "</p>\n")
            .collect(Collectors.joining());
    return template("jobs.html")
        .replace("{{style}}", linked("", Asset.STYLE))
        .replace("{{remarks}}", notes)
        .replace(
            "{{jobs}}",
            jobs.isEmpty()
                ? "<p class=\"empty\">There is no job here yet.</p>"
                : PlainTables.ofJobs(jobs));
  }

  /** A page with a job in it, as one file that needs nothing else. */
  public static String report(JobModel job) {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    try {
      JobJson.writeAll(job, data);
    } catch (IOException e) {
      throw new UncheckedIOException("a model can be written as JSON", e);
    }
    String style = Asset.UPLOT_STYLE.text() + Asset.STYLE.text();
    String module =
        Arrays.stream(Asset.values())
            .filter(asset -> !asset.isLibrary() && asset != Asset.STYLE)
            .map(JobPage::withoutImports)
            .collect(Collectors.joining());
    List<String> scripts =
        Arrays.stream(Asset.values())
            .filter(asset -> asset.isLibrary() && asset != Asset.UPLOT_STYLE)
            .map(Asset::text)
            .toList();
    StringBuilder inline = new StringBuilder();
    scripts.forEach(script -> inline.append("<script>").append(script).append("</script>\n"));
    inline.append("<script type=\"module\">").append(module).append("</script>\n");
    String hashes =
        scripts.stream().map(JobPage::hash).collect(Collectors.joining(" ")) + " " + hash(module);
    String policy =
        "default-src 'none'; script-src "
            + hashes
            + "; style-src "
            + hash(style)
            + "; img-src data:; base-uri 'none'; form-action 'none'";
    JobHead head = job.head();
    return page(
        title(head.summary()),
        "<meta http-equiv=\"Content-Security-Policy\" content=\""
            + policy
            + "\">\n<style id=\""
            + STYLE_ID
            + "\">"
            + style
            + "</style>\n",
        PlainTables.ofJob(head),
        "data-report",
        "<script type=\"application/json\" id=\"data\">"
            // Nothing in a text can end the element.
            + data.toString(StandardCharsets.UTF_8).replace("<", "\\u003c")
            + "</script>\n"
            + inline);
  }

  private static String page(
      String title, String head, String plain, String attributes, String scripts) {
    String page = template("job.html");
    StringBuilder filled = new StringBuilder(page.length() + scripts.length() + plain.length());
    // Each place once and in order: what is put in may contain anything.
    int at = 0;
    for (String[] part :
        new String[][] {
          {"{{title}}", Html.escaped(title)},
          {"{{head}}", head},
          {"{{attributes}}", attributes},
          {"{{plain}}", plain},
          {"{{scripts}}", scripts}
        }) {
      int place = page.indexOf(part[0], at);
      filled.append(page, at, place).append(part[1]);
      at = place + part[0].length();
    }
    return filled.append(page, at, page.length()).toString();
  }

  private static String title(JobSummary job) {
    return (job.name().isEmpty() ? job.id() : job.name()) + " · Anemone";
  }

  /** {@code up} leads from the page to where the server's addresses begin. */
  private static String linked(String up, Asset style) {
    String id = style == Asset.STYLE ? " id=\"" + STYLE_ID + "\"" : "";
    return "<link rel=\"stylesheet\""
        + id
        + " href=\""
        + up
        + "assets/"
        + style.fileName()
        + "\">\n";
  }

  private static String scripts(Predicate<Asset> which) {
    return Arrays.stream(Asset.values())
        .filter(which.and(asset -> asset != Asset.UPLOT_STYLE))
        .map(asset -> "<script src=\"../assets/" + asset.fileName() + "\"></script>\n")
        .collect(Collectors.joining());
  }

  /** A module as a part of one script: the modules before it have what it imports. */
  private static String withoutImports(Asset module) {
    return EXPORT.matcher(IMPORT.matcher(module.text()).replaceAll("")).replaceAll("");
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String template(String name) {
    try (InputStream in = JobPage.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
