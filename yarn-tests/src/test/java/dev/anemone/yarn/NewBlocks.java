// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The blocks that tasks have written to the nodes' local directories since this was made. A node
 * deletes the blocks of an ended job when it likes, so those of other jobs are known by their paths
 * and not by their number.
 */
final class NewBlocks {
  private final TestCluster cluster;
  private final Pattern attempts;
  private final Set<Path> ofOtherJobs;

  private NewBlocks(TestCluster cluster, Pattern attempts) throws IOException {
    this.cluster = cluster;
    this.attempts = attempts;
    this.ofOtherJobs = Set.copyOf(all().keySet());
  }

  /**
   * What is there already is not new.
   *
   * @param attempts how the names of the attempts begin that write the blocks
   */
  static NewBlocks since(TestCluster cluster, Pattern attempts) throws IOException {
    return new NewBlocks(cluster, attempts);
  }

  int count() throws IOException {
    return fresh().size();
  }

  /** The node with the most of them; there are more than {@code atLeast} there. */
  int nodeWithMoreThan(int atLeast) throws IOException {
    int[] blocks = new int[TestCluster.NODES];
    fresh().forEach(block -> blocks[block.node()]++);
    int most = 0;
    for (int node = 0; node < blocks.length; node++) {
      most = blocks[node] > blocks[most] ? node : most;
    }
    assertThat(blocks[most]).as("blocks of one node").isGreaterThan(atLeast);
    return most;
  }

  /** The node with the one that was written last. */
  int nodeWithLast() throws IOException {
    return nodeWithLast(-1);
  }

  /**
   * The node with the one that was written last.
   *
   * @param unwanted comes only if no other node has any
   */
  int nodeWithLast(int unwanted) throws IOException {
    return fresh().stream()
        .max(
            Comparator.comparing((Block block) -> block.node() != unwanted)
                .thenComparing(Block::written))
        .orElseThrow(() -> new AssertionError("no node has a block"))
        .node();
  }

  private List<Block> fresh() throws IOException {
    Map<Path, Block> found = all();
    found.keySet().removeAll(ofOtherJobs);
    return List.copyOf(found.values());
  }

  private Map<Path, Block> all() throws IOException {
    Map<Path, Block> found = new HashMap<>();
    for (int node = 0; node < TestCluster.NODES; node++) {
      for (Found file : new Walk().in(cluster.localDirectory(node))) {
        found.put(file.path(), new Block(node, file.written()));
      }
    }
    return found;
  }

  private record Block(int node, FileTime written) {}

  private record Found(Path path, FileTime written) {}

  /** Goes on where a file or a directory is deleted before it comes to it. */
  private final class Walk extends SimpleFileVisitor<Path> {
    private final List<Found> blocks = new ArrayList<>();

    List<Found> in(Path directory) throws IOException {
      Files.walkFileTree(directory, this);
      return blocks;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.endsWith("file.out")
          && attempts.matcher(file.getParent().getFileName().toString()).lookingAt()) {
        blocks.add(new Found(file, attributes.lastModifiedTime()));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException cause) throws IOException {
      return goOn(cause);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException cause)
        throws IOException {
      return goOn(cause);
    }

    private static FileVisitResult goOn(IOException cause) throws IOException {
      if (cause == null
          || cause instanceof NoSuchFileException
          || cause instanceof FileNotFoundException) {
        return FileVisitResult.CONTINUE;
      }
      throw cause;
    }
  }
}
