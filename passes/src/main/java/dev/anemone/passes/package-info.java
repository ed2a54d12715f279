// SPDX-License-Identifier: Apache-2.0
/**
 * The pass model, and the harness that runs passes and holds them to what they declare.
 *
 * <p>A {@link dev.anemone.passes.CompileTimePass} annotates or reshapes the graph before the job
 * starts; a {@link dev.anemone.passes.RunTimePass} re-annotates the part that has not started yet,
 * from a message of the running job. {@link dev.anemone.passes.PassRunner} applies them.
 *
 * <p>The model follows Apache Nemo's, as published in Yang et al., <i>Apache Nemo: A Framework for
 * Building Distributed Dataflow Optimization Policies</i>, USENIX ATC 2019.
 */
package dev.anemone.passes;
