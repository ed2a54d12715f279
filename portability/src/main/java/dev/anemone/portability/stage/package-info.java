// SPDX-License-Identifier: Apache-2.0
/** Runs fused stages of a portable pipeline in SDK harnesses. */
package dev.anemone.portability.stage;
