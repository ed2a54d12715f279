// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.stage;

import dev.anemone.beam.sideinput.SideInputContents;
import dev.anemone.beam.sideinput.SideInputSource;
import dev.anemone.runtime.spi.OperatorContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateGetResponse;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.IterableSideInput;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapKeysSideInput;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.MultimapSideInput;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateKey.TypeCase;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateRequest;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.StateResponse;
import org.apache.beam.runners.fnexecution.control.ProcessBundleDescriptors.SideInputSpec;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.state.StateRequestHandler;
import org.apache.beam.runners.fnexecution.translation.PipelineTranslatorUtils;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.transforms.Materializations.IterableView;
import org.apache.beam.sdk.transforms.Materializations.MultimapView;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.SideInputReference;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.collect.Iterables;

/**
 * The side inputs of a stage, as harnesses ask for them. Each lies in the heap or on disk, as those
 * of Java do, once for all tasks of the job in this JVM; answers have no more than a part of it.
 * Thread-safe.
 */
final class StageSideInputs implements StateRequestHandler {

  /** The kinds of requests for them. */
  static final List<TypeCase> TYPES =
      List.of(
          TypeCase.ITERABLE_SIDE_INPUT,
          TypeCase.MULTIMAP_SIDE_INPUT,
          TypeCase.MULTIMAP_KEYS_SIDE_INPUT);

  /** Which side input of which step. */
  private record Name(String transform, String sideInput) {}

  private record Source(SideInputContents contents, SideInputSpec<?, ?> spec) {

    Object in(ByteString window) throws IOException {
      return contents.in((BoundedWindow) spec.windowCoder().decode(window.newInput()));
    }

    @SuppressWarnings("unchecked") // the contents are multimaps
    MultimapView<Object, Object> multimapIn(ByteString window) throws IOException {
      return (MultimapView<Object, Object>) in(window);
    }

    @SuppressWarnings("unchecked") // the contents are iterables
    IterableView<Object> iterableIn(ByteString window) throws IOException {
      return (IterableView<Object>) in(window);
    }

    @SuppressWarnings("unchecked") // the elements are those that the coder codes
    Coder<Object> elementCoder() {
      return (Coder<Object>) spec.elementCoder();
    }

    @SuppressWarnings("unchecked") // a multimap's elements are pairs
    KvCoder<Object, Object> pairCoder() {
      return (KvCoder<Object, Object>) spec.elementCoder();
    }
  }

  private final Map<Name, Source> sources = new HashMap<>();

  private StageSideInputs() {}

  /** What answers the stage's requests. Reads the side inputs that nobody has read. */
  @SuppressWarnings("rawtypes") // as Beam has them
  static StageSideInputs of(
      ExecutableStage stage, StageBundleFactory bundles, OperatorContext context) throws Exception {
    Map<String, Map<String, SideInputSpec>> specs =
        bundles.getProcessBundleDescriptor().getSideInputSpecs();
    StageSideInputs sideInputs = new StageSideInputs();
    for (SideInputReference reference : stage.getSideInputs()) {
      Name name = new Name(reference.transform().getId(), reference.localName());
      SideInputSpec<?, ?> spec = specs.get(name.transform()).get(name.sideInput());
      String collection = reference.collection().getId();
      String urn = spec.accessPattern().getUrn();
      SideInputContents contents =
          context.shared(
              "portable-side-input " + context.vertexId() + " " + collection + " " + urn,
              () ->
                  new SideInputSource(
                          collection,
                          urn,
                          spec.elementCoder(),
                          PipelineTranslatorUtils.getWindowingStrategy(
                              collection, stage.getComponents()))
                      .read(context));
      sideInputs.sources.put(name, new Source(contents, spec));
    }
    return sideInputs;
  }

  @Override
  public CompletionStage<StateResponse.Builder> handle(StateRequest request) throws IOException {
    return CompletableFuture.completedFuture(
        StateResponse.newBuilder()
            .setId(request.getId())
            .setGet(read(request.getStateKey(), request.getGet().getContinuationToken())));
  }

  private StateGetResponse read(StateKey key, ByteString from) throws IOException {
    switch (key.getTypeCase()) {
      case ITERABLE_SIDE_INPUT -> {
        IterableSideInput asked = key.getIterableSideInput();
        Source source = source(asked.getTransformId(), asked.getSideInputId());
        return part(source.iterableIn(asked.getWindow()).get(), source.elementCoder(), from);
      }
      case MULTIMAP_SIDE_INPUT -> {
        MultimapSideInput asked = key.getMultimapSideInput();
        Source source = source(asked.getTransformId(), asked.getSideInputId());
        KvCoder<Object, Object> coder = source.pairCoder();
        Object wanted = coder.getKeyCoder().decode(asked.getKey().newInput());
        return part(source.multimapIn(asked.getWindow()).get(wanted), coder.getValueCoder(), from);
      }
      case MULTIMAP_KEYS_SIDE_INPUT -> {
        MultimapKeysSideInput asked = key.getMultimapKeysSideInput();
        Source source = source(asked.getTransformId(), asked.getSideInputId());
        return part(
            source.multimapIn(asked.getWindow()).get(), source.pairCoder().getKeyCoder(), from);
      }
      default ->
          throw new IllegalArgumentException("a harness asks side inputs for " + key.getTypeCase());
    }
  }

  private Source source(String transform, String sideInput) {
    Source source = sources.get(new Name(transform, sideInput));
    if (source == null) {
      throw new IllegalArgumentException(
          "a harness asks for the side input " + sideInput + " of " + transform);
    }
    return source;
  }

  private static StateGetResponse part(
      Iterable<Object> elements, Coder<Object> coder, ByteString from) throws IOException {
    int next = StateChunks.position(from);
    Iterator<Object> rest = startingAt(elements, next);
    ByteString.Output data = ByteString.newOutput();
    while (rest.hasNext() && data.size() < StateChunks.BYTES) {
      coder.encode(rest.next(), data);
      next++;
    }
    return StateChunks.response(data.toByteString(), next, rest.hasNext());
  }

  private static Iterator<Object> startingAt(Iterable<Object> elements, int position) {
    return elements instanceof List<Object> list
        ? list.subList(position, list.size()).iterator()
        : Iterables.skip(elements, position).iterator();
  }
}
