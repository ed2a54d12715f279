// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.job;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.tez.job.JobFiles.TaskReports;
import dev.anemone.runtime.transfer.lineage.TaskLineage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a task reports, as bytes. */
final class ReportCodec {

  private ReportCodec() {}

  /**
   * A report that was written.
   *
   * @param stage name of the task's stage
   * @param task index of the task
   * @param attempt from 0
   */
  record Report(String stage, int task, int attempt, TaskReports reports) {}

  static byte[] write(Report report) throws IOException {
    TaskReports reports = report.reports();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(report.stage());
    out.writeInt(report.task());
    out.writeInt(report.attempt());
    write(reports.lineage().written(), out);
    write(reports.lineage().read(), out);
    out.writeInt(reports.reports().size());
    for (TaskReport ofOperator : reports.reports()) {
      out.writeUTF(ofOperator.vertexId());
      out.writeInt(ofOperator.taskIndex());
      out.writeInt(ofOperator.report().length);
      out.write(ofOperator.report());
    }
    out.writeInt(reports.edges().size());
    for (Map.Entry<String, EdgeCounters> edge : reports.edges().entrySet()) {
      out.writeUTF(edge.getKey());
      List<Long> values = edge.getValue().values();
      out.writeInt(values.size());
      for (long value : values) {
        out.writeLong(value);
      }
    }
    write(reports.readBytes(), out);
    return bytes.toByteArray();
  }

  private static void write(Map<String, Long> numbers, DataOutputStream out) throws IOException {
    out.writeInt(numbers.size());
    for (Map.Entry<String, Long> each : numbers.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue());
    }
  }

  /** What {@link #write} wrote. */
  static Report read(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    String stage = in.readUTF();
    int task = in.readInt();
    int attempt = in.readInt();
    TaskLineage lineage = new TaskLineage(readNumbers(in), readNumbers(in));
    List<TaskReport> operators = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      String vertexId = in.readUTF();
      int taskIndex = in.readInt();
      byte[] report = new byte[in.readInt()];
      in.readFully(report);
      operators.add(new TaskReport(vertexId, taskIndex, report));
    }
    Map<String, EdgeCounters> edges = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String edge = in.readUTF();
      List<Long> values = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        values.add(in.readLong());
      }
      edges.put(edge, EdgeCounters.of(values));
    }
    return new Report(
        stage, task, attempt, new TaskReports(operators, edges, readNumbers(in), lineage));
  }

  private static Map<String, Long> readNumbers(DataInputStream in) throws IOException {
    Map<String, Long> numbers = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      numbers.put(in.readUTF(), in.readLong());
    }
    return numbers;
  }
}
