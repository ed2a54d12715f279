// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The nodes of a cluster, of which some may be stopped. Thread-safe. */
final class Nodes {
  private final DaemonConfiguration configuration;
  private final Map<String, String> masters;

  /** By index; null where a node is stopped. */
  private final Node[] nodes;

  /**
   * Nodes that are to be started.
   *
   * @param masters where the masters are
   */
  Nodes(DaemonConfiguration configuration, Map<String, String> masters, int count) {
    this.configuration = configuration;
    this.masters = masters;
    this.nodes = new Node[count];
  }

  /** The number of nodes, with those that are stopped. */
  int count() {
    return nodes.length;
  }

  /** Starts all that are stopped. */
  synchronized void startAll() throws IOException {
    for (int index = 0; index < nodes.length; index++) {
      if (nodes[index] == null) {
        start(index);
      }
    }
  }

  /** Starts a node that is stopped. */
  synchronized void start(int index) throws IOException {
    if (node(index).isPresent()) {
      throw new IllegalStateException("node " + index + " is not stopped");
    }
    String name = name(index);
    nodes[index] =
        Node.start(configuration.forNode(masters, name, LoopbackHosts.ofNode(index)), name);
  }

  /** Stops a node at once. */
  synchronized void stop(int index) {
    node(index).ifPresent(Node::stop);
    nodes[index] = null;
  }

  /** Stops all nodes at once. */
  synchronized void stopAll() {
    stopAll(Node::stop);
  }

  /** Stops what would outlive the JVM, which is ending. */
  synchronized void stopContainers() {
    stopAll(Node::stopContainers);
  }

  private void stopAll(Consumer<Node> stop) {
    List<Node> live = live().toList();
    // First all of them, or one would be given the work of another.
    live.forEach(Node::fallSilent);
    live.parallelStream().forEach(stop);
    Arrays.fill(nodes, null);
  }

  /** Where the nodes are, by index; empty for those that are stopped. */
  synchronized List<Optional<NodeAddress>> addresses() {
    return Arrays.stream(nodes).map(node -> Optional.ofNullable(node).map(Node::address)).toList();
  }

  /** The programs in all containers. */
  synchronized List<ProcessHandle> containers() {
    return live().flatMap(node -> node.containers().stream()).toList();
  }

  /** The programs in containers of a node. */
  synchronized List<ProcessHandle> containers(int index) {
    return node(index).map(Node::containers).orElse(List.of());
  }

  /** The program in a container. */
  synchronized Optional<ProcessHandle> container(String id) {
    return live().flatMap(node -> node.container(id).stream()).findFirst();
  }

  /** Where the containers of a node have their files, also when it is stopped. */
  Path localDirectory(int index) {
    return configuration.localDirectory(name(Objects.checkIndex(index, nodes.length)));
  }

  private static String name(int index) {
    return "node" + index;
  }

  private Optional<Node> node(int index) {
    return Optional.ofNullable(nodes[Objects.checkIndex(index, nodes.length)]);
  }

  private Stream<Node> live() {
    return Arrays.stream(nodes).filter(Objects::nonNull);
  }
}
