// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Options that say how a job is shown to people. What shows it is in {@code anemone-ui}. */
public interface ViewOptions extends PipelineOptions {

  @Description(
      "Whether the job has a page while it runs: off, the port of this machine at which it is (or the"
          + " next one that is free), or auto, which means the first from 4040 on that is free, when"
          + " the program runs in a terminal and takes longer than a second. On a cluster, unless it is"
          + " off, the application's tracking URL leads to the page, too.")
  @Default.String("auto")
  String getUi();

  void setUi(String ui);

  @Description(
      "Name or address at which the job's page is served. Beyond this machine it wants a token, which"
          + " is in the address that the program prints. Default: 127.0.0.1.")
  @Default.String("127.0.0.1")
  String getUiHost();

  void setUiHost(String uiHost);

  @Description(
      "File for the job's page, all in one HTML file, when somebody has waited for the pipeline's"
          + " end. A second pipeline of a program gets a file with -2 in its name. Default: none.")
  String getReport();

  void setReport(String report);
}
