// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.equivalence;

import static dev.anemone.beam.equivalence.SkewedSource.CODER;

import org.apache.beam.sdk.extensions.joinlibrary.Join;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Count;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.Mean;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionView;
import org.joda.time.Duration;

/**
 * What a random pipeline can do with one or two collections of keys and numbers. The result does
 * not depend on the order of the elements.
 */
enum Step {
  MAP(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, ParDo.of(new StepFns.ChangeValue(argument)));
    }
  },
  NEW_KEYS(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, ParDo.of(new StepFns.NewKeys(argument)));
    }
  },
  COUNT(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, Count.perKey());
    }
  },
  SUM(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, Sum.longsPerKey());
    }
  },
  MEAN(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, Mean.<Integer, Long>perKey())
          .apply(name + "Rounded", ParDo.of(new StepFns.Rounded()));
    }
  },
  /** Accumulators as large as the data. */
  LIST(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, Combine.perKey(new HashedList()));
    }
  },
  GROUP(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, GroupByKey.create())
          .apply(name + "Folded", ParDo.of(new StepFns.Folded()));
    }
  },
  RESHUFFLE(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return left.apply(name, Reshuffle.viaRandomKey());
    }
  },
  /** Groups in windows, and the results are in the global window again. */
  WINDOWED_GROUP(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return inOneWindow(name, GROUP.apply(name, inWindows(name, left), right, argument));
    }
  },
  WINDOWED_SUM(1) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return inOneWindow(name, SUM.apply(name, inWindows(name, left), right, argument));
    }
  },
  WINDOWED_JOIN(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return inOneWindow(
          name,
          INNER_JOIN.apply(
              name, inWindows(name + "Left", left), inWindows(name + "Right", right), argument));
    }
  },
  FLATTEN(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return PCollectionList.of(left).and(right).apply(name, Flatten.pCollections());
    }
  },
  SIDE_INPUT(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      PCollectionView<Iterable<KV<Integer, Long>>> view =
          right.apply(name + "View", View.asIterable());
      return left.apply(name, ParDo.of(new StepFns.AddAll(view)).withSideInputs(view));
    }
  },
  CO_GROUP(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return KeyedPCollectionTuple.of(StepFns.LEFT, left)
          .and(StepFns.RIGHT, right)
          .apply(name, CoGroupByKey.create())
          .apply(name + "Folded", ParDo.of(new StepFns.FoldedSides()));
    }
  },
  INNER_JOIN(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return pairs(name, Join.innerJoin(name, left, right));
    }
  },
  LEFT_JOIN(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return pairs(name, Join.leftOuterJoin(name, left, right, StepFns.NOBODY));
    }
  },
  RIGHT_JOIN(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return pairs(name, Join.rightOuterJoin(name, left, right, StepFns.NOBODY));
    }
  },
  FULL_JOIN(2) {
    @Override
    PCollection<KV<Integer, Long>> apply(
        String name,
        PCollection<KV<Integer, Long>> left,
        PCollection<KV<Integer, Long>> right,
        int argument) {
      return pairs(name, Join.fullOuterJoin(name, left, right, StepFns.NOBODY, StepFns.NOBODY));
    }
  };

  private static final Duration WINDOW = Duration.millis(40);

  private final int inputs;

  Step(int inputs) {
    this.inputs = inputs;
  }

  boolean readsTwo() {
    return inputs == 2;
  }

  /**
   * Adds the step to a pipeline.
   *
   * @param name unique in the pipeline
   * @param right the same as {@code left} or another; only read by steps that read two
   */
  abstract PCollection<KV<Integer, Long>> apply(
      String name,
      PCollection<KV<Integer, Long>> left,
      PCollection<KV<Integer, Long>> right,
      int argument);

  private boolean isJoin() {
    return this == INNER_JOIN
        || this == LEFT_JOIN
        || this == RIGHT_JOIN
        || this == FULL_JOIN
        || this == WINDOWED_JOIN;
  }

  /** How many elements it looks at, at most. */
  long mostWork(long left, long right) {
    return isJoin() || this == SIDE_INPUT ? left * right : left + right;
  }

  /** About how many elements it makes, at most. */
  long mostResults(long left, long right) {
    if (isJoin()) {
      return left * right / StepFns.PAIRS_PER_RESULT + left + right;
    }
    return this == FLATTEN || this == CO_GROUP ? left + right : left;
  }

  private static PCollection<KV<Integer, Long>> pairs(
      String name, PCollection<KV<Integer, KV<Long, Long>>> joined) {
    return joined.apply(name + "Pairs", ParDo.of(new StepFns.SomePairs()));
  }

  private static PCollection<KV<Integer, Long>> inWindows(
      String name, PCollection<KV<Integer, Long>> collection) {
    return collection
        .apply(name + "Timestamps", ParDo.of(new StepFns.Timestamps()))
        .apply(name + "Windows", Window.into(FixedWindows.of(WINDOW)));
  }

  private static PCollection<KV<Integer, Long>> inOneWindow(
      String name, PCollection<KV<Integer, Long>> collection) {
    return collection.apply(name + "OneWindow", Window.into(new GlobalWindows())).setCoder(CODER);
  }
}
