// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.TransformHierarchy.Node;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.transforms.View;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.junit.jupiter.api.Test;

/** The inside of composites that might be joins. */
class JoinShapeTest {

  private static final TupleTag<Integer> LEFT = new TupleTag<>("left");
  private static final TupleTag<Integer> RIGHT = new TupleTag<>("right");

  private final Pipeline pipeline = Pipeline.create();
  private Optional<PCollection<KV<Integer, CoGbkResult>>> leaked = Optional.empty();

  @Test
  void parDosAfterTheGroupMakeAJoin() {
    Optional<JoinShape> shape = shape(groups -> pass(pass(groups, "One"), "Two"));

    assertThat(shape).isPresent();
    assertThat(shape.get().sides())
        .extracting(JoinShape.Side::index, JoinShape.Side::tag)
        .containsExactly(tuple(0, "left"), tuple(1, "right"));
    assertThat(shape.get().sides().get(0).tagged().getName()).contains("MakeUnionTable0");
    assertThat(shape.get().sides().get(1).tagged().getName()).contains("MakeUnionTable1");
  }

  @Test
  void notWhereTheGroupsAreReadOutside() {
    assertThat(
            shape(
                groups -> {
                  leaked = Optional.of(groups);
                  return pass(groups, "One");
                }))
        .isEmpty();
  }

  @Test
  void notWhereTwoReadTheGroups() {
    assertThat(
            shape(
                groups ->
                    PCollectionList.of(pass(groups, "One"))
                        .and(pass(groups, "Two"))
                        .apply(Flatten.pCollections())))
        .isEmpty();
  }

  @Test
  void notWhereTheGroupsAreShuffledOnceMore() {
    assertThat(shape(groups -> groups.apply(Reshuffle.viaRandomKey()))).isEmpty();
  }

  @Test
  void notWhereTheGroupsAreASideInput() {
    assertThat(
            shape(
                groups -> {
                  PCollectionView<Iterable<KV<Integer, CoGbkResult>>> view =
                      groups.apply(View.asIterable());
                  return pass(groups, "One")
                      .apply("Two", ParDo.of(new Pass()).withSideInputs(view))
                      .setCoder(groups.getCoder());
                }))
        .isEmpty();
  }

  @Test
  void notWhereAParDoHasTwoOutputs() {
    TupleTag<KV<Integer, CoGbkResult>> main = new TupleTag<>("first");
    TupleTag<KV<Integer, CoGbkResult>> other = new TupleTag<>("other");
    assertThat(
            shape(
                groups -> {
                  PCollectionTuple outputs =
                      groups.apply(
                          ParDo.of(new Pass()).withOutputTags(main, TupleTagList.of(other)));
                  outputs.get(other).setCoder(groups.getCoder());
                  return outputs.get(main).setCoder(groups.getCoder());
                }))
        .isEmpty();
  }

  private static PCollection<KV<Integer, CoGbkResult>> pass(
      PCollection<KV<Integer, CoGbkResult>> groups, String name) {
    return groups.apply(name, ParDo.of(new Pass())).setCoder(groups.getCoder());
  }

  private Optional<JoinShape> shape(UnaryOperator<PCollection<KV<Integer, CoGbkResult>>> steps) {
    numbers("Left").apply("Join", new Composite(numbers("Right"), steps));
    leaked.ifPresent(groups -> pass(groups, "Outside"));
    Consumers consumers = Consumers.of(pipeline);
    AtomicReference<Optional<JoinShape>> found = new AtomicReference<>();
    pipeline.traverseTopologically(
        new Pipeline.PipelineVisitor.Defaults() {
          @Override
          public void visitPrimitiveTransform(Node node) {
            Node coGroup = node.getEnclosingNode();
            if (node.getTransform() instanceof GroupByKey
                && coGroup.getTransform() instanceof CoGroupByKey) {
              found.set(JoinShape.of(coGroup.getEnclosingNode(), coGroup, node, consumers));
            }
          }
        });
    return found.get();
  }

  private PCollection<KV<Integer, Integer>> numbers(String name) {
    return pipeline.apply(name, Create.of(KV.of(1, 2), KV.of(2, 3)));
  }

  private static final class Pass extends DoFn<KV<Integer, CoGbkResult>, KV<Integer, CoGbkResult>> {

    private static final long serialVersionUID = 1L;

    @ProcessElement
    public void pass(ProcessContext context) {
      context.output(context.element());
    }
  }

  private static final class Composite
      extends PTransform<PCollection<KV<Integer, Integer>>, PCollection<KV<Integer, CoGbkResult>>> {

    private static final long serialVersionUID = 1L;

    private final transient PCollection<KV<Integer, Integer>> right;
    private final transient UnaryOperator<PCollection<KV<Integer, CoGbkResult>>> steps;

    Composite(
        PCollection<KV<Integer, Integer>> right,
        UnaryOperator<PCollection<KV<Integer, CoGbkResult>>> steps) {
      this.right = right;
      this.steps = steps;
    }

    @Override
    public PCollection<KV<Integer, CoGbkResult>> expand(PCollection<KV<Integer, Integer>> left) {
      return steps.apply(
          KeyedPCollectionTuple.of(LEFT, left).and(RIGHT, right).apply(CoGroupByKey.create()));
    }
  }
}
