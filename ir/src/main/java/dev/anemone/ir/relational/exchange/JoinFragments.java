// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.query.JoinKind;
import dev.anemone.ir.relational.query.Relation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where joins run. Of these the first that can be:
 *
 * <ul>
 *   <li>where both sides are, if both are in one task, or in partitions by keys of the join;
 *   <li>in one task, if both sides are small;
 *   <li>where one side is read, if the other is small: its rows go to all tasks that read;
 *   <li>where one side is in partitions, by other keys, if the other side is small: its rows go to
 *       all of them;
 *   <li>where one side is in partitions by keys of the join: rows of the other go there;
 *   <li>in new partitions, by a hash of the keys.
 * </ul>
 *
 * <p>A join without keys runs where its larger side is. Only rows of a side that the join does not
 * keep without a match can be in several tasks.
 */
final class JoinFragments {

  private final Fragments fragments;
  private final SideSizes sizes;

  JoinFragments(Fragments fragments, SideSizes sizes) {
    this.fragments = fragments;
    this.sizes = sizes;
  }

  /** A side of a join. */
  private record Side(
      List<Part> parts,
      boolean small,
      OptionalLong bytes,
      boolean mayBeReplicated,
      List<String> keys) {

    private boolean isSingle() {
      return parts.size() == 1 && parts.get(0).isSingle();
    }

    private boolean isPartitioned() {
      return parts.size() == 1 && parts.get(0).isPartitioned();
    }

    private boolean isWhereItIsRead() {
      return parts.size() == 1 && parts.get(0).isWhereItIsRead();
    }

    /** Whether all of its rows can be where any of the other side's are. */
    private boolean goesTo(Side other) {
      return small && mayBeReplicated && other.parts.size() == 1;
    }

    /** The columns of the other side that decide with this one's about partitions. */
    private Optional<List<String>> alignedWith(Side other) {
      if (parts.size() > 1
          || !(parts.get(0).distribution() instanceof Distribution.Hashed hashed)) {
        return Optional.empty();
      }
      List<String> columns = new ArrayList<>();
      for (Set<String> key : hashed.keys()) {
        int pair = 0;
        while (pair < keys.size() && !key.contains(keys.get(pair))) {
          pair++;
        }
        if (pair == keys.size()) {
          return Optional.empty();
        }
        columns.add(other.keys.get(pair));
      }
      return Optional.of(columns);
    }

    /** Whether the rows are in the partitions that a hash of these columns says. */
    private boolean isHashedBy(List<String> columns) {
      if (parts.size() > 1
          || !(parts.get(0).distribution() instanceof Distribution.Hashed hashed)
          || hashed.keys().size() != columns.size()) {
        return false;
      }
      for (int i = 0; i < columns.size(); i++) {
        if (!hashed.keys().get(i).contains(columns.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /** The rows of a join, whose sides are in these parts. */
  Part of(Relation.Join join, List<Part> lefts, List<Part> rights) {
    JoinKind kind = join.kind();
    Side left =
        new Side(
            lefts,
            sizes.isSmall().test(join.left()),
            sizes.bytes().apply(join.left()),
            kind == JoinKind.INNER || kind == JoinKind.RIGHT,
            join.keys().stream().map(Relation.KeyPair::left).toList());
    Side right =
        new Side(
            rights,
            sizes.isSmall().test(join.right()),
            sizes.bytes().apply(join.right()),
            kind != JoinKind.RIGHT && kind != JoinKind.FULL,
            join.keys().stream().map(Relation.KeyPair::right).toList());
    if (left.isSingle() && right.isSingle()) {
      return joined(join, left.parts.get(0), right.parts.get(0));
    } else if (left.small && right.small) {
      return joined(join, gathered(left), gathered(right));
    }
    return left.keys.isEmpty() ? withoutKeys(join, left, right) : withKeys(join, left, right);
  }

  private Part withKeys(Relation.Join join, Side left, Side right) {
    Optional<List<String>> ofRight = left.alignedWith(right);
    Optional<List<String>> ofLeft = right.alignedWith(left);
    if (ofRight.isPresent() && right.isHashedBy(ofRight.get())) {
      return joined(join, left.parts.get(0), right.parts.get(0));
    } else if (right.goesTo(left) && left.isWhereItIsRead()) {
      return joined(join, fragments.inPieces(left.parts.get(0)), broadcast(right));
    } else if (left.goesTo(right) && right.isWhereItIsRead()) {
      return joined(join, broadcast(left), fragments.inPieces(right.parts.get(0)));
    } else if (right.goesTo(left) && left.isPartitioned() && ofRight.isEmpty()) {
      return joined(join, left.parts.get(0), replicated(right));
    } else if (left.goesTo(right) && right.isPartitioned() && ofLeft.isEmpty()) {
      return joined(join, replicated(left), right.parts.get(0));
    } else if (ofRight.isPresent()) {
      return joined(join, left.parts.get(0), hashed(right, ofRight.get()));
    } else if (ofLeft.isPresent()) {
      return joined(join, hashed(left, ofLeft.get()), right.parts.get(0));
    }
    return joined(join, hashed(left, left.keys), hashed(right, right.keys));
  }

  private Part withoutKeys(Relation.Join join, Side left, Side right) {
    boolean keepsLeft = right.mayBeReplicated && !(left.small && left.mayBeReplicated);
    if (keepsLeft) {
      Part kept = kept(left);
      return joined(join, kept, allOf(right, kept));
    } else if (left.mayBeReplicated) {
      Part kept = kept(right);
      return joined(join, allOf(left, kept), kept);
    }
    return joined(join, gathered(left), gathered(right));
  }

  /** A side that stays where it is, as far as it is in one place. */
  private Part kept(Side side) {
    if (side.isWhereItIsRead()) {
      return fragments.inPieces(side.parts.get(0));
    }
    return side.isSingle() || side.isPartitioned()
        ? side.parts.get(0)
        : new Part(
            fragments.exchange(side.parts, new Partitioning.Spread()),
            new Distribution.Arbitrary());
  }

  /** All rows of a side, wherever there are any of the other one. */
  private Part allOf(Side side, Part other) {
    if (other.isSingle()) {
      return gathered(side);
    }
    return other.isPartitioned() ? replicated(side) : broadcast(side);
  }

  private Part broadcast(Side side) {
    return new Part(
        fragments.exchange(side.parts, new Partitioning.Broadcast(), side.bytes),
        new Distribution.Replicated());
  }

  private Part gathered(Side side) {
    return side.isSingle()
        ? side.parts.get(0)
        : new Part(
            fragments.exchange(side.parts, new Partitioning.Gather(), side.bytes),
            new Distribution.Single());
  }

  private Part hashed(Side side, List<String> columns) {
    return new Part(
        fragments.exchange(side.parts, new Partitioning.Hash(columns), side.bytes),
        Distribution.Hashed.by(columns));
  }

  private Part replicated(Side side) {
    return new Part(
        fragments.exchange(side.parts, new Partitioning.Replicate(), side.bytes),
        new Distribution.Replicated());
  }

  private static Part joined(Relation.Join join, Part left, Part right) {
    return new Part(
        new Relation.Join(
            join.kind(), left.relation(), right.relation(), join.keys(), join.condition()),
        distribution(join, left, right));
  }

  private static Distribution distribution(Relation.Join join, Part left, Part right) {
    if (left.isSingle()) {
      return left.distribution();
    }
    boolean isOfRight =
        join.kind() == JoinKind.RIGHT || left.distribution() instanceof Distribution.Replicated;
    Part kept = isOfRight ? right : left;
    if (kept.isWhereItIsRead()) {
      return kept.distribution();
    }
    if (join.kind() == JoinKind.FULL
        || !(kept.distribution() instanceof Distribution.Hashed hashed)) {
      return new Distribution.Arbitrary();
    } else if (join.kind() != JoinKind.INNER) {
      return hashed;
    }
    Map<String, String> equal = new HashMap<>();
    for (Relation.KeyPair pair : join.keys()) {
      equal.put(isOfRight ? pair.right() : pair.left(), isOfRight ? pair.left() : pair.right());
    }
    return hashed.and(equal::get);
  }
}
