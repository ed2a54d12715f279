// SPDX-License-Identifier: Apache-2.0
/** Pushing between tasks of one JVM: batches are copied from page to page, without a network. */
package dev.anemone.runtime.push.direct;
