// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import java.util.List;

/** Which partitions of an exchange a row goes to. */
public sealed interface Partitioning
    permits Partitioning.Hash,
        Partitioning.Spread,
        Partitioning.Gather,
        Partitioning.Replicate,
        Partitioning.Broadcast,
        Partitioning.Stay {

  /** The partitioning in a word or two, for people. */
  String text();

  /**
   * The one that a hash of some columns says: equal rows come together, nulls too.
   *
   * @param keys the columns, at least one
   */
  record Hash(List<String> keys) implements Partitioning {
    public Hash {
      keys = List.copyOf(keys);
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("a hash of no columns; gather the rows instead");
      }
    }

    @Override
    public String text() {
      return "hash(" + String.join(", ", keys) + ")";
    }
  }

  /**
   * Any, as long as it is the same when a task runs again: a hash of the whole row says which, as
   * where a shuffle has no key.
   */
  record Spread() implements Partitioning {
    @Override
    public String text() {
      return "spread";
    }
  }

  /** The only one. */
  record Gather() implements Partitioning {
    @Override
    public String text() {
      return "gather";
    }
  }

  /** All of them. */
  record Replicate() implements Partitioning {
    @Override
    public String text() {
      return "replicate";
    }
  }

  /** Not partitioned: each task that reads rows of another exchange has all of these beside. */
  record Broadcast() implements Partitioning {
    @Override
    public String text() {
      return "broadcast";
    }
  }

  /** Not partitioned: the task that has made them goes on with them. */
  record Stay() implements Partitioning {
    @Override
    public String text() {
      return "stay";
    }
  }
}
