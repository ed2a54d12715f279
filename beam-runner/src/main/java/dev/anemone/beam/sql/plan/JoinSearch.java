// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.JoinRelType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * Looks for the cheapest order of joins. Up to {@value #EXHAUSTIVE} factors it compares all trees,
 * bushy ones too, by dynamic programming over sets (Vance and Maier, SIGMOD 1996); beyond that it
 * joins the two that make the smallest result, again and again (Fegaras, DEXA 1998). The cost of a
 * tree is the rows that its joins read and make.
 */
final class JoinSearch {

  private static final int EXHAUSTIVE = 12;

  /** So much dearer is a join without a key, which one task has to make. */
  private static final double WITHOUT_KEY = 1000;

  private static final double BYTES_PER_ROW = 32;

  private final JoinSizes sizes;
  private final double broadcastRows;

  JoinSearch(JoinSizes sizes, double broadcastBytes) {
    this.sizes = sizes;
    this.broadcastRows = broadcastBytes / BYTES_PER_ROW;
  }

  /**
   * A tree of joins.
   *
   * @param factors what it joins
   * @param left null in a leaf
   */
  record Tree(ImmutableBitSet factors, double rows, double cost, Tree left, Tree right) {

    boolean isLeaf() {
      return left == null;
    }

    int leaf() {
      return factors.nth(0);
    }
  }

  Tree best() {
    List<Tree> leaves = new ArrayList<>();
    for (int i = 0; i < sizes.factors(); i++) {
      leaves.add(new Tree(ImmutableBitSet.of(i), sizes.rows(i), 0, null, null));
    }
    return leaves.size() <= EXHAUSTIVE ? compareAll(leaves) : joinSmallest(leaves);
  }

  /** Sets are bit masks here. */
  private Tree compareAll(List<Tree> leaves) {
    int all = (1 << leaves.size()) - 1;
    Tree[] best = new Tree[all + 1];
    for (int set = 1; set <= all; set++) {
      if (Integer.bitCount(set) == 1) {
        best[set] = leaves.get(Integer.numberOfTrailingZeros(set));
        continue;
      }
      for (int left = (set - 1) & set; left > 0; left = (left - 1) & set) {
        Tree joined = join(best[left], best[set & ~left]);
        if (joined != null && (best[set] == null || joined.cost() < best[set].cost())) {
          best[set] = joined;
        }
      }
    }
    return best[all];
  }

  private Tree joinSmallest(List<Tree> leaves) {
    List<Tree> trees = new ArrayList<>(leaves);
    while (trees.size() > 1) {
      Tree smallest = null;
      for (Tree left : trees) {
        for (Tree right : trees) {
          Tree joined = left.factors().intersects(right.factors()) ? null : join(left, right);
          if (joined != null && (smallest == null || increase(joined) < increase(smallest))) {
            smallest = joined;
          }
        }
      }
      trees.remove(smallest.left());
      trees.remove(smallest.right());
      trees.add(smallest);
    }
    return trees.get(0);
  }

  private static double increase(Tree joined) {
    return joined.cost() - joined.left().cost() - joined.right().cost();
  }

  /** Null if the two cannot be joined in this order. */
  private Tree join(Tree left, Tree right) {
    if (left == null || right == null || isSemi(left)) {
      return null;
    }
    if (isSemi(right)) {
      if (!left.factors().contains(sizes.needs(right.leaf()))) {
        return null;
      }
    } else if (left.factors().length() > right.factors().length()) {
      // The two are looked at in the other order, too.
      return null;
    }
    boolean hasKey = isSemi(right) || sizes.areConnected(left.factors(), right.factors());
    double rows = sizes.joined(left.factors(), left.rows(), right.factors(), right.rows());
    double smaller = Math.min(left.rows(), right.rows());
    double larger = Math.max(left.rows(), right.rows());
    double moved = smaller <= broadcastRows ? 2 * smaller : 2 * (smaller + larger);
    double made = hasKey || smaller <= 1 ? rows : rows * WITHOUT_KEY;
    return new Tree(
        left.factors().union(right.factors()),
        rows,
        left.cost() + right.cost() + moved + made,
        left,
        right);
  }

  private boolean isSemi(Tree tree) {
    return tree.isLeaf() && sizes.type(tree.leaf()) != JoinRelType.INNER;
  }
}
