// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

class NodeAddressesTest {

  private static Container on(String nodeHttpAddress) {
    Container container = Records.newRecord(Container.class);
    container.setNodeHttpAddress(nodeHttpAddress);
    return container;
  }

  /** An address prints the name that it knows without asking. */
  @Test
  void theNameOfAnAddressIsTheAddress() {
    assertThat(NetUtils.createSocketAddr("127.0.0.99:8042")).hasToString("/127.0.0.99:8042");

    NodeAddresses.takeForNames(on("127.0.0.99:8042"));

    assertThat(NetUtils.createSocketAddr("127.0.0.99:8042"))
        .hasToString("127.0.0.99/127.0.0.99:8042");
  }

  @Test
  void namesStayAsTheyAre() {
    NodeAddresses.takeForNames(on("node-1.example:8042"));
    NodeAddresses.takeForNames(on(null));

    assertThat(NetUtils.getStaticResolution("node-1.example")).isNull();
  }
}
