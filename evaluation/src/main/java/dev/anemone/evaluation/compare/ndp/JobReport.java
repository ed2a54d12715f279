// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.ndp;

import java.util.List;

/**
 * What the compute side says of queries that ran at the same time.
 *
 * @param queries in the order in which they were named
 */
record JobReport(List<QueryReport> queries) {

  /**
   * One query.
   *
   * @param number of TPC-H
   * @param milliseconds from when the runner got the pipeline until that was done
   * @param answer a line of column names, and a line for each row
   * @param splitsPushed splits of which a proxy ran some operators
   * @param splitsPushedBack splits that a proxy was asked for in vain
   * @param answerBytes of proxies
   * @param readBytes of files
   */
  record QueryReport(
      int number,
      long milliseconds,
      List<String> answer,
      long splitsPushed,
      long splitsPushedBack,
      long answerBytes,
      long readBytes) {}
}
