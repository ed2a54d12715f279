// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import java.util.List;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;

/** Options of reads of tables of {@code TYPE ndp}. */
public interface NdpOptions extends PipelineOptions {

  @Description(
      "Proxies beside the data nodes (see 'anemone ndp-proxy'), such as node1:9964,node2:9964,"
          + " or https://node1:9964,https://node2:9964, which run the operators that"
          + " --optimizationPolicy=NearData or FullPushdown cuts into reads. Default: none, and tasks do all themselves.")
  List<String> getNdpProxies();

  void setNdpProxies(List<String> ndpProxies);

  @Description(
      "Bandwidth between storage nodes and tasks in bytes per second, such as 125MB (of 1000000"
          + " bytes), for --optimizationPolicy=NearData. Default: measured by reading some of the"
          + " table.")
  String getNdpNetwork();

  void setNdpNetwork(String ndpNetwork);

  @Description(
      "File with the secret that the proxies of --ndpProxies ask for, if they do. Default: no"
          + " secret.")
  String getNdpTokenFile();

  void setNdpTokenFile(String ndpTokenFile);

  @Description(
      "Memory in MB off the heap of the engine that runs a read's operators in a task; what does"
          + " not fit goes to disk. 0: 256; on YARN 64. Executors on YARN set it aside, and 96 MB"
          + " for what the engine does not count: heap and data have so much less.")
  @Default.Integer(0)
  int getNdpEngineMemoryMb();

  void setNdpEngineMemoryMb(int ndpEngineMemoryMb);

  @Description(
      "Seconds that a proxy may take to say how it is; one that takes longer is left alone for"
          + " --ndpAwaySeconds.")
  @Default.Integer(20)
  int getNdpStatusSeconds();

  void setNdpStatusSeconds(int ndpStatusSeconds);

  @Description(
      "Seconds that a proxy is left alone that could not be reached, or was late; splits are read"
          + " in tasks meanwhile.")
  @Default.Integer(30)
  int getNdpAwaySeconds();

  void setNdpAwaySeconds(int ndpAwaySeconds);

  @Description(
      "Seconds within which the operators of a split must be done, here or at a proxy. A proxy that"
          + " takes longer is left alone for --ndpAwaySeconds, and the split is read here.")
  @Default.Integer(600)
  int getNdpDeadlineSeconds();

  void setNdpDeadlineSeconds(int ndpDeadlineSeconds);
}
