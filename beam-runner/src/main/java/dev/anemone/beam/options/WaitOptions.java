// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/**
 * Options of {@code NemoRunner} that say how long its tasks wait for each other, wherever they run.
 * What a fetch waits for is among {@link ClusterOptions}.
 */
public interface WaitOptions extends PipelineOptions {

  @Description(
      "How long, in ms, a task tries to connect to an aggregation task that it pushes to, before it"
          + " keeps what it has for that one, and tries again later. At least 1.")
  @Default.Integer(2_000)
  int getPushConnectMs();

  void setPushConnectMs(int pushConnectMs);

  @Description(
      "How long, in ms, an aggregation task that has to answer may be silent, before what it was"
          + " sent is kept where it comes from; and how long who pushes to one may take to"
          + " introduce itself. At least 1.")
  @Default.Integer(5_000)
  int getPushReplyMs();

  void setPushReplyMs(int pushReplyMs);

  @Description(
      "How long, in ms, an aggregation task keeps what is pushed to it waiting for memory, before it"
          + " refuses it. At least 1.")
  @Default.Integer(2_000)
  int getPushMemoryMs();

  void setPushMemoryMs(int pushMemoryMs);

  @Description(
      "How long, in ms, the connections may take to end over which something was pushed. At least"
          + " 1.")
  @Default.Integer(10_000)
  int getPushCloseMs();

  void setPushCloseMs(int pushCloseMs);

  @Description(
      "How long, in ms, an attempt of a task that has done its work waits for another attempt that"
          + " may commit in its place, before it fails. At least 1.")
  @Default.Integer(300_000)
  int getCommitMs();

  void setCommitMs(int commitMs);

  @Description(
      "How long, in seconds, a program that has cancelled its job waits for the job's end, before"
          + " it is told that the job still runs. At least 1.")
  @Default.Integer(30)
  int getCancelSeconds();

  void setCancelSeconds(int cancelSeconds);
}
