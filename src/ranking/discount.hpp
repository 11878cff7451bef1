#pragma once

#include "structhash/core/types.hpp"

/// The gain of a relevant item at a rank: the same for training and evaluation.
namespace structhash {

/// A discount of NDCG: rank 1, 2, ... -> gain, 1 at rank 1, non-increasing.
using Discount = double (*)(Index rank);

/// The discount of trec_eval, scikit-learn and most libraries: 1/log2(1 + r).
double discount_standard(Index rank);

/// S of Eq. (21), Jarvelin and Kekalainen's original: S(1) = 1, S(r) = 1/log2(r).  Hence S(2) = 1.
double discount_paper(Index rank);

/// Prefix sums of a discount: element r is D(1) + ... + D(r), element 0 is 0.  O(ranks).
Vector<double> discount_sums(Discount discount, Index ranks);

}  // namespace structhash
