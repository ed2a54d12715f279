// SPDX-License-Identifier: Apache-2.0
/** How long a pipeline takes that has nothing to do. */
package dev.anemone.evaluation.model.startup;
